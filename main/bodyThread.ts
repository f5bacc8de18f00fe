/** Entry of the thread in which the engine checks and writes large bodies. */
import { serveBodies } from './engine/store/payloads/bodyWorkerMain.ts';

serveBodies();
