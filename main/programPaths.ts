/** Where the parts of the program lie beside an entry, in bundles and in sources. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramPaths } from './hosts/headless/serve.ts';

/** `entry`: path of the file that Node runs. */
export function programAt(entry: string): { paths: ProgramPaths; version: string } {
  const here = dirname(entry);
  const isSource = entry.endsWith('.ts');
  const root = join(here, isSource ? '..' : '../..');
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the file is a part of this program
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    version,
    paths: {
      engine: join(here, isSource ? 'engine.ts' : 'engine.js'),
      keychain: join(here, isSource ? 'keychain.ts' : 'keychain.js'),
      page: join(root, 'out', 'renderer'),
      workerKit: join(root, 'resources', 'worker-kit'),
      resources: join(root, 'resources'),
    },
  };
}
