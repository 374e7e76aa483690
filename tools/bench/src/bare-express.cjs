// The baseline of the bench `start`: Express and one route, as in its documentation, unbundled.
const express = require('express');

const app = express();
app.get('/ready', (_, response) => response.json({ ready: true }));
app.listen(Number(process.argv[2]), '127.0.0.1');
