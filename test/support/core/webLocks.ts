/** A setup file of component specs: the locks of the browser, which jsdom lacks, are those of Node. */
import { locks } from 'node:worker_threads';

Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
