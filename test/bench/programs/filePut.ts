/**
 * `filePut.ts FILE ADDRESS` sends the file as the body of one PUT, with the key in the variable KEY. A program of its own,
 * because the memory of the bench would make each garbage collection slow.
 */
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';

const [, , file = '', address = ''] = process.argv;

const sending = request(address, {
  method: 'PUT',
  headers: { authorization: `Bearer ${process.env['KEY']}`, 'content-length': statSync(file).size },
});
createReadStream(file).pipe(sending);
const [answer] = (await once(sending, 'response')) as [IncomingMessage];
answer.resume();
await once(answer, 'end');
if (answer.statusCode !== 200) throw new Error(`The upload was answered with ${answer.statusCode}`);
