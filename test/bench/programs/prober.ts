/**
 * Asks one path over and over at fixed moments, from a process of its own, and tells how long the answers took. Forked
 * by the benchmark.
 */
import { nowUs } from '../measuring/clock.ts';
import { bodyOf, openConnection, type RawConnection } from '../measuring/rawHttp.ts';
import type { ProbeOrders } from './probe.ts';

const EVERY_US = 5000;

async function probe({ address, key, path, forMs }: ProbeOrders): Promise<number[]> {
  const idle: RawConnection[] = [];
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const startUs = nowUs();
  const ask = async (dueUs: number): Promise<void> => {
    const connection = idle.pop() ?? (await openConnection(address, key));
    bodyOf(await connection.request('GET', path));
    times.push(nowUs() - dueUs);
    idle.push(connection);
  };
  for (let dueUs = startUs; dueUs < startUs + forMs * 1000; dueUs += EVERY_US) {
    while (nowUs() < dueUs) await new Promise((resolve) => setTimeout(resolve, 1));
    running.push(ask(dueUs));
  }
  await Promise.all(running);
  for (const connection of idle) connection.close();
  return times;
}

process.on('message', (orders: ProbeOrders) => {
  void probe(orders).then((times) => process.send?.(times));
});
