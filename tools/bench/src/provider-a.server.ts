// Provider A taken out: answers every checkout at once, and knows nothing of it.
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);

createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const payment = { url: `http://127.0.0.1:${port}/pay`, token_id: 'bench', expired_date: '20991231000000' };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ message: ['SUCCESS'], response: { payment } }));
  });
}).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
