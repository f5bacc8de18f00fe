import { expect, test } from 'vitest';
import { processorName } from './processorName.ts';

test.each([
  ['Intel(R) Xeon(R) Processor', 'Intel Xeon'],
  ['Intel(R) Xeon(R) CPU @ 2.20GHz', 'Intel Xeon'],
  ['Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz', 'Intel Xeon E5-2680 v4'],
  ['Intel(R) Xeon(R) CPU           X5650  @ 2.67GHz', 'Intel Xeon X5650'],
  ['Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz', 'Intel Core i7-8650U'],
  ['12th Gen Intel(R) Core(TM) i7-12700K', 'Intel Core i7-12700K'],
  ['AMD Ryzen 9 7950X 16-Core Processor            ', 'AMD Ryzen 9 7950X'],
  ['AMD Ryzen 7 5700U with Radeon Graphics', 'AMD Ryzen 7 5700U'],
  ['AMD FX(tm)-8350 Eight-Core Processor', 'AMD FX-8350'],
  ['Apple M2 Pro', 'Apple M2 Pro'],
  ['QEMU Virtual CPU version 2.5+', 'QEMU Virtual CPU version 2.5+'],
  ['Common KVM processor', 'Common KVM processor'],
  ['Processor', 'Processor'],
  ['', ''],
])('the processor %j is named %j', (model, name) => {
  expect(processorName(model)).toBe(name);
});
