/** A worker process of the peer on BullMQ: `slots` jobs at a time, each answered at once. Forked by the benchmark. */
import { Worker } from 'bullmq';
import { nowUs } from '../measuring/clock.ts';
import { openReports, ordersOf, QUEUE, REDIS_PORT } from './workerOrders.ts';

const { reportPort, slots, outputBytes } = ordersOf(process.env);
const reports = openReports(reportPort);
const OUTPUT_FRAME_BYTES = 90;
const fill = 'o'.repeat(Math.max(0, outputBytes - OUTPUT_FRAME_BYTES));

const worker = new Worker(
  process.env[QUEUE] ?? '',
  (job) => Promise.resolve({ job: job.id, startedAt: nowUs(), fill }),
  {
    connection: { host: '127.0.0.1', port: Number(process.env[REDIS_PORT]), maxRetriesPerRequest: null },
    concurrency: slots,
  },
);
worker.on('completed', ({ id }) => {
  reports.finished(id ?? '');
});
await worker.waitUntilReady();
reports.working();
