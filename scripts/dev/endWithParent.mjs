/**
 * Loaded into the headless host by `npm run dev`: the host stops in order when the process that started it is gone,
 * however it ended.
 */

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
