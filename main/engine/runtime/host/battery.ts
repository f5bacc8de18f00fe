/** Whether this machine runs on battery power. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const SUPPLIES = '/sys/class/power_supply';

async function read(folder: string, name: string): Promise<string> {
  return (await readFile(path.join(folder, name), 'utf8').catch(() => '')).trim();
}

/**
 * Reads the list of power supplies from the kernel. systeminformation knows only some names of mains supplies, and
 * reports a full battery on mains power as one without.
 */
export async function onBatteryOnLinux(supplies = SUPPLIES): Promise<boolean> {
  const names = await readdir(supplies).catch(() => []);
  let discharging = false;
  for (const name of names) {
    const folder = path.join(supplies, name);
    const [type, online, status, scope] = await Promise.all(
      ['type', 'online', 'status', 'scope'].map((file) => read(folder, file)),
    );
    if (type !== 'Battery' && online === '1') return false;
    // A battery of a mouse or a headset does not power the machine.
    if (type === 'Battery' && status === 'Discharging' && scope !== 'Device') discharging = true;
  }
  return discharging;
}

/** False on a machine without a battery; null where the system does not report it. */
export async function onBattery(): Promise<boolean | null> {
  if (process.platform === 'linux') return onBatteryOnLinux();
  // Loaded when it is needed: it is large.
  const { battery } = await import('systeminformation');
  const facts = await battery().catch(() => null);
  return facts && facts.hasBattery && !facts.acConnected;
}
