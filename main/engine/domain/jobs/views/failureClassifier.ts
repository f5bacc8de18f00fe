/** Finds out from the output of a program whether the memory of the GPU, the memory or the disk ran out. */

export type FailureCause = 'gpu-memory' | 'memory' | 'disk';

/**
 * The messages of libraries and systems. The first match counts, because a message about a GPU often also matches
 * memory.
 */
const words: readonly [FailureCause, RegExp][] = [
  [
    'gpu-memory',
    /\b(CUDA|HIP|MPS backend|XPU) (error: )?out of memory\b|\b(CUDA_ERROR_OUT_OF_MEMORY|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation|hipErrorOutOfMemory|ErrorOutOfDeviceMemory|ErrorDeviceMemoryAllocation)\b|\btorch\.(cuda\.)?OutOfMemoryError\b|\bcudaMalloc failed: out of memory\b|\bRESOURCE_EXHAUSTED: .*(allocat|GPU|device)/i,
  ],
  [
    'disk',
    /\b(ENOSPC|EDQUOT)\b|\bno space left on device\b|\bdisk quota exceeded\b|\bnot enough space on the disk\b|\bdisk is full\b/i,
  ],
  [
    'memory',
    /\b(MemoryError|_ArrayMemoryError|std::bad_alloc|bad_alloc|ENOMEM)\b|\bheap out of memory\b|\bcannot allocate memory\b|\bnot enough memory: you tried to allocate\b|\bArray buffer allocation failed\b|\bfatal error: runtime: out of memory\b/i,
  ],
];

/** Each cause in the words that begin the reason of a worker's end. */
export const causeClause: Readonly<Record<FailureCause, string>> = {
  'gpu-memory': 'out of GPU memory',
  memory: 'out of memory',
  disk: 'no space left on the disk',
};

const sentences: Readonly<Record<FailureCause, string>> = {
  'gpu-memory': 'The GPU ran out of memory. Use a smaller model or batch, or stop other programs that use the GPU.',
  memory: 'The worker ran out of memory. Use smaller inputs, or stop other programs that use memory on its machine.',
  disk: "The worker's disk is full. Free some space on it.",
};

/** Characters at either end of the output of a program that are examined. */
const EXAMINED = 16_384;

export function causeOf(output: string): FailureCause | null {
  const looked =
    output.length <= 2 * EXAMINED ? output : `${output.slice(0, EXAMINED)}\n${output.slice(output.length - EXAMINED)}`;
  return words.find(([, pattern]) => pattern.test(looked))?.[0] ?? null;
}

/**
 * A worker's error with what it means on a line before it, where that is known. Workers write theirs as a JSON object
 * of facts: it stays one, with `error_cause` as a fact more.
 */
export function withCause(error: string): string {
  const cause = causeOf(error);
  if (cause === null) return error;
  const facts = asObject(error);
  if (facts === null) return error.startsWith(sentences[cause]) ? error : `${sentences[cause]}\n${error}`;
  return 'error_cause' in facts ? error : JSON.stringify({ ...facts, error_cause: sentences[cause] });
}

function asObject(text: string): object | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    // The text only begins like JSON: it is a message.
    return null;
  }
}
