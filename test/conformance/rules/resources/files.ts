/** Files of volumes. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'F-01',
    rule: 'A file is written as it comes, replaces what was there unless `If-None-Match: *` forbids it, and is read as a whole or in parts',
    file: 'conformance/local/volumeFiles',
    tests: [
      'files of a network volume > are written as they come, of any type, and read as they were',
      'files of a network volume > are read in parts',
      'files of a network volume > replace what was there, unless the request says that nothing may be',
    ],
  },
  {
    id: 'F-02',
    rule: 'What was not sent to its end, or is too large, is not there',
    file: 'conformance/local/volumeFiles',
    tests: [
      'files of a network volume > that are not sent to their end are not there, and what was sent is not kept',
      'files of a network volume > are refused where they are announced to be larger than may be',
    ],
  },
  {
    id: 'F-03',
    rule: 'Folders are made, moved and deleted with what is in them; nothing is replaced by a move',
    file: 'conformance/local/volumeFiles',
    tests: ['files of a network volume > lie in folders, which are made, moved and deleted with what is in them'],
  },
  {
    id: 'F-04',
    rule: 'No path and no link leads out of a volume',
    file: 'conformance/local/volumeFiles',
    tests: [
      'paths of files > %j is a 400 for whatever is asked for',
      'paths of files > do not lead out of the volume by a link',
      'paths of files > need a volume that there is, a path of the right type, and no fields that nobody knows',
    ],
  },
  {
    id: 'F-05',
    rule: 'Reading files takes a key, changing them one of the scope `all`',
    file: 'conformance/local/volumeFiles',
    tests: ['reading files takes a key, changing them one of the scope all'],
  },
  {
    id: 'F-25',
    rule: 'Changes in a folder of a volume are reported as they come, until the folder is gone',
    file: 'conformance/local/volumeFiles',
    tests: [
      'changes in a folder of a volume > come as events: one at once, then one for what is written there, also by other programs',
      'changes in a folder of a volume > end when the folder is deleted, and are refused for what is no folder of the volume',
    ],
  },
] satisfies Rule[];
