/** Whether this machine runs on its battery. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { battery } from 'systeminformation';

const SUPPLIES = '/sys/class/power_supply';

async function read(folder: string, name: string): Promise<string> {
  return (await readFile(path.join(folder, name), 'utf8').catch(() => '')).trim();
}

/**
 * From the kernel's own list of supplies, since systeminformation knows the mains by a few of their names only, and takes a full
 * battery that is plugged in for one that is not.
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
    // That of a mouse or a headset is none of the machine's.
    if (type === 'Battery' && status === 'Discharging' && scope !== 'Device') discharging = true;
  }
  return discharging;
}

/** False on a machine without one; null where the system does not tell. */
export async function onBattery(): Promise<boolean | null> {
  if (process.platform === 'linux') return onBatteryOnLinux();
  const facts = await battery().catch(() => null);
  return facts && facts.hasBattery && !facts.acConnected;
}
