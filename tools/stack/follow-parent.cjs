// Preloaded into every process of a development stack: when the stack is killed, the channel to it breaks, and nothing stays behind.
process.channel?.unref();
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
