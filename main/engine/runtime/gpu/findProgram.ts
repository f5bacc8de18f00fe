/** Finds a program on PATH, and in the places where its installer puts it without telling PATH. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const onWindows = process.platform === 'win32';

/** `elsewhere`: folders to look in after PATH. Null when it is nowhere. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, elsewhere: readonly string[]): string | null {
  const listed = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const file = onWindows ? `${name}.exe` : name;
  return [...listed, ...elsewhere].map((folder) => path.join(folder, file)).find(runs) ?? null;
}

/** Where nvidia-smi lies when PATH does not know: in Windows' own folder, in the one of old drivers, in WSL. */
export function nvidiaFolders(env: NodeJS.ProcessEnv): string[] {
  if (!onWindows) return ['/usr/bin', '/usr/lib/wsl/lib', '/run/current-system/sw/bin'];
  const windows = env['SystemRoot'] ?? env['WINDIR'] ?? 'C:\\Windows';
  const programs = env['ProgramW6432'] ?? env['ProgramFiles'] ?? 'C:\\Program Files';
  return [path.join(windows, 'System32'), path.join(programs, 'NVIDIA Corporation', 'NVSMI')];
}

/** ROCm puts its programs in a folder of its own. */
export const rocmFolders = (): string[] => (onWindows ? [] : ['/usr/bin', '/opt/rocm/bin']);
