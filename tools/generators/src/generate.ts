// `npm run generate -- <app> [<area>/]<feature>`
import { format, generateFeature } from './feature';

const USAGE = `usage: npm run generate -- <app> [<area>/]<feature>
  npm run generate -- chat-backend greeting
  npm run generate -- commerce-api catalogue/refund-reasons`;

const [app, path, ...more] = process.argv.slice(2);
if (!app || !path || more.length > 0) {
  console.error(USAGE);
  process.exit(2);
}
try {
  const { files, curl } = generateFeature(app, path);
  format(files);
  console.log(`${files.join('\n')}\n\nRestart the stack (npm start creates the table), then:\n\n${curl}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
