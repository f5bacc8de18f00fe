/** Entry of the headless host, as a bundle and from source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHeadless } from './hosts/headless/cli.ts';

const here = import.meta.dirname;
const isSource = import.meta.filename.endsWith('.ts');
const root = join(here, isSource ? '..' : '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

await runHeadless(
  process.argv.slice(2),
  {
    engine: join(here, isSource ? 'engine.ts' : 'engine.js'),
    keychain: join(here, isSource ? 'keychain.ts' : 'keychain.js'),
    page: join(root, 'out', 'renderer'),
    workerKit: join(root, 'resources', 'worker-kit'),
    examples: join(root, 'resources', 'examples'),
  },
  version,
);
