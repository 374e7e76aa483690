/** Opening of the documentation page: what a client developer needs before the first call. */
export const description = `Connects social accounts and manages the ad accounts behind them.

**Handshake.** Sign \`{x-client-key}|{x-timestamp}\` with your RSA private key and exchange it for a bearer token:

\`\`\`sh
TS=$(date -u +%Y-%m-%dT%H:%M:%SZ)
SIG=$(printf '%s' "$CLIENT_KEY|$TS" | openssl dgst -sha256 -sign private.pem | base64 -w0)
curl -X POST "$BASE/api/application/token" -H "x-client-key: $CLIENT_KEY" -H "x-timestamp: $TS" -H "x-signature: $SIG"
\`\`\`

\`\`\`js
const timestamp = new Date().toISOString();
const signature = crypto.sign('RSA-SHA256', Buffer.from(clientKey + '|' + timestamp), privateKey).toString('base64');
\`\`\`

**Two layers.** Every other call sends \`Authorization: Bearer <token>\` and \`public-key\`, your public key. A PEM's line ends
cannot travel in a header: send it with \`\\n\` for them, with spaces, without separators, percent-encoded, or as base64.

**Answers** are \`{status: true, message, data}\` or \`{status: false, message, error}\`; \`error.retryable\` says whether to repeat,
\`error.request_id\` is what to tell support.

| Status | Message |
|---|---|
| 400 | \`Invalid Timestamp\`, validation texts |
| 401 | \`401 Unauthorized\` (bearer missing or expired: make a new handshake), \`Invalid Public Key\` |
| 404 | \`Invalid app\`, \`Invalid Signature\`, \`Not Found\` |
| 500 | \`Too many requests, please try again\` (see Retry-After), \`Internal Server Error\` |`;
