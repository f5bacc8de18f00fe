import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { causeOf, withCause, type FailureCause } from './failureClassifier.ts';

test.each<[FailureCause | null, string]>([
  ['gpu-memory', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB.'],
  ['gpu-memory', "<class 'torch.cuda.OutOfMemoryError'>"],
  ['gpu-memory', 'RuntimeError: CUDA error: out of memory'],
  ['gpu-memory', 'ggml_cuda_host_malloc: cudaMalloc failed: out of memory'],
  ['gpu-memory', 'torch.OutOfMemoryError: HIP out of memory.'],
  [
    'gpu-memory',
    'jaxlib.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.',
  ],
  ['gpu-memory', 'cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY, MemoryError'],
  ['memory', 'MemoryError'],
  ['memory', 'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB'],
  ['memory', "terminate called after throwing an instance of 'std::bad_alloc'"],
  ['memory', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
  ['memory', "DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes. Cannot allocate memory"],
  ['memory', 'RangeError: Array buffer allocation failed'],
  ['disk', "OSError: [Errno 28] No space left on device: 'weights.bin'"],
  ['disk', "Error: ENOSPC: no space left on device, write '/tmp/x'"],
  [null, 'ValueError: the picture is too small'],
  [null, 'the file is out of memory cards'],
  [null, 'it ended by SIGSEGV'],
])('the cause is %s where a worker says: %s', (cause, errorText) => {
  expect(causeOf(errorText)).toBe(cause);
});

describe('an error of a worker', () => {
  const facts = { error_type: "<class 'MemoryError'>", error_message: '', worker_id: 'w' };

  test('that is a JSON object stays one, with what it means as a fact more', () => {
    const { error_cause: cause, ...rest } = JSON.parse(withCause(JSON.stringify(facts))) as Record<string, unknown>;
    expect(rest).toEqual(facts);
    expect(cause).toMatch(/^The worker ran out of memory\./);
  });

  test('that is text has what it means before it', () => {
    expect(withCause('CUDA out of memory')).toBe(
      'The GPU ran out of memory. Use a smaller model or batch, or stop other programs that use the GPU.\nCUDA out of memory',
    );
  });

  test('is explained once, and any other error is left as it is, byte for byte', () => {
    for (const error of ['CUDA out of memory', JSON.stringify(facts), '{"no space left on device'])
      expect(withCause(withCause(error))).toBe(withCause(error));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (error) => {
        if (causeOf(error) === null) expect(withCause(error)).toBe(error);
      }),
    );
  });

  test('that is long is looked at where it begins and ends', () => {
    const filler = 'x'.repeat(1_000_000);
    expect(causeOf(`${filler} ENOSPC`)).toBe('disk');
    expect(causeOf(`ENOSPC ${filler}`)).toBe('disk');
    expect(causeOf(`${filler} ENOSPC ${filler}`)).toBeNull();
  });
});
