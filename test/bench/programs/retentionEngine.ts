/**
 * An engine whose clock can be put forward, and that collects its garbage on request: what then is still held is held
 * for good.
 */
import { Session } from 'node:inspector';
import '../../support/engine/clockedEntry.ts';

const session = new Session();
session.connect();

process.on('message', (message: { type: string }) => {
  if (message.type === 'collect')
    session.post('HeapProfiler.collectGarbage', () => process.send?.({ type: 'collected' }));
});
