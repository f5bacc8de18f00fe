/** Folders where drivers put their programs, and which PATH may lack. */
import path from 'node:path';

const onWindows = process.platform === 'win32';

/** The folders of nvidia-smi that PATH may lack: of Windows, of old drivers, of WSL. */
export function nvidiaFolders(env: NodeJS.ProcessEnv): string[] {
  if (!onWindows) return ['/usr/bin', '/usr/lib/wsl/lib', '/run/current-system/sw/bin'];
  const windows = env['SystemRoot'] ?? env['WINDIR'] ?? 'C:\\Windows';
  const programs = env['ProgramW6432'] ?? env['ProgramFiles'] ?? 'C:\\Program Files';
  return [path.join(windows, 'System32'), path.join(programs, 'NVIDIA Corporation', 'NVSMI')];
}

/** The folders where ROCm puts its programs. */
export const rocmFolders = (): string[] => (onWindows ? [] : ['/usr/bin', '/opt/rocm/bin']);
