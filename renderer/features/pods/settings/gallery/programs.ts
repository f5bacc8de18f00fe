/** The programs that a new Pod can start from: their images, settings and first pages. */
import type { Pod } from '#contract/api/pod.ts';
import { t } from '../../../../language/text.ts';

interface FirstPage {
  /** The http port that answers it. */
  port: string;
  /** Its path and query. `volume`: where the container sees the volume, whose files a reset keeps; null without one. */
  path: (volume: string | null) => string;
  /** The path that its server answers, with a status below 500, once the page can be opened. It needs no password. */
  readyPath: string;
  /** What a person sees there, as a sentence. */
  what: string;
  /** The variable with the token that its address needs; null if it needs none. */
  tokenVariable: string | null;
}

export interface PodProgram {
  /** Also the suggested name of a Pod. */
  id: string;
  /** A name of a product, the same in every language. */
  name: string;
  /** What it is for, in a few words. */
  what: string;
  /** A public image with a tag that stays the same. */
  imageName: string;
  /** Empty: the image's own. */
  command: string;
  env: Readonly<Record<string, string>>;
  /** Variables that get a random value in each new Pod, because they are passwords. */
  secretVariables: readonly string[];
  /** As in "8888/http". */
  ports: readonly string[];
  containerDiskInGb: number;
  volumeInGb: number;
  volumeMountPath: string;
  needsGpu: boolean;
  /** Null: it has no page, and is used in a terminal. */
  firstPage: FirstPage | null;
}

/**
 * Waits for terminals, and ends at once when the Pod is stopped: a bare `sleep` as the first process ignores the
 * signal.
 */
const WAITS = 'sh -c "trap exit TERM; sleep infinity & wait"';

/** The home of the user of JupyterLab's image, whose folders JupyterLab shows. */
const JUPYTER_HOME = '/home/jovyan/';

export const podPrograms: readonly PodProgram[] = [
  {
    id: 'python',
    name: 'Python',
    what: t`Plain Python and a terminal`,
    imageName: 'python:3.14.7-slim',
    command: WAITS,
    env: {},
    secretVariables: [],
    ports: [],
    containerDiskInGb: 10,
    volumeInGb: 20,
    volumeMountPath: '/workspace',
    needsGpu: false,
    firstPage: null,
  },
  {
    id: 'pytorch',
    name: 'PyTorch',
    what: t`PyTorch with CUDA and a terminal`,
    // CUDA 12.8 runs on GPUs from Volta to Blackwell, with drivers for CUDA 12 and later.
    imageName: 'pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime',
    command: WAITS,
    env: {},
    secretVariables: [],
    ports: [],
    containerDiskInGb: 30,
    volumeInGb: 50,
    volumeMountPath: '/workspace',
    needsGpu: false,
    firstPage: null,
  },
  {
    id: 'jupyterlab',
    name: 'JupyterLab',
    what: t`Notebooks in the browser`,
    imageName: 'quay.io/jupyter/base-notebook:2026-10-05',
    command: '',
    env: {},
    secretVariables: ['JUPYTER_TOKEN'],
    ports: ['8888/http'],
    containerDiskInGb: 20,
    volumeInGb: 20,
    volumeMountPath: '/home/jovyan/work',
    needsGpu: false,
    firstPage: {
      port: '8888',
      path: (volume) => (volume?.startsWith(JUPYTER_HOME) ? `/lab/tree/${volume.slice(JUPYTER_HOME.length)}` : '/lab'),
      readyPath: '/api',
      what: t`JupyterLab with its files and notebooks. The link contains the token.`,
      tokenVariable: 'JUPYTER_TOKEN',
    },
  },
  {
    id: 'comfyui',
    name: 'ComfyUI',
    what: t`Images and video from a graph of nodes`,
    imageName: 'yanwk/comfyui-boot:cu128-slim-20260316',
    command: '',
    // Its documentation advises this: xFormers fails on some Blackwell GPUs.
    env: { CLI_ARGS: '--disable-xformers' },
    secretVariables: [],
    ports: ['8188/http'],
    containerDiskInGb: 30,
    volumeInGb: 100,
    volumeMountPath: '/root',
    needsGpu: true,
    firstPage: {
      port: '8188',
      path: () => '/',
      readyPath: '/',
      what: t`The editor of ComfyUI. It has no password, and the first start copies it into the volume.`,
      tokenVariable: null,
    },
  },
  {
    id: 'vllm',
    name: 'vLLM',
    what: t`A language model with the OpenAI API`,
    imageName: 'vllm/vllm-openai:v0.28.0-cu129',
    // The image runs `vllm serve`, which takes the model without an option.
    command: 'Qwen/Qwen2.5-1.5B-Instruct',
    // Models and compiled code stay in the volume, so that the next start is faster.
    env: { HF_HOME: '/workspace/huggingface', VLLM_CACHE_ROOT: '/workspace/vllm' },
    secretVariables: ['VLLM_API_KEY'],
    ports: ['8000/http'],
    containerDiskInGb: 30,
    volumeInGb: 100,
    volumeMountPath: '/workspace',
    needsGpu: true,
    firstPage: {
      port: '8000',
      path: () => '/docs',
      readyPath: '/health',
      what: t`The list of its calls. Calls below /v1 need the key in VLLM_API_KEY.`,
      tokenVariable: null,
    },
  },
  {
    id: 'code-server',
    name: 'code-server',
    what: t`VS Code in the browser`,
    imageName: 'codercom/code-server:4.138.0',
    command: '',
    env: {},
    secretVariables: ['PASSWORD'],
    ports: ['8080/http'],
    containerDiskInGb: 20,
    volumeInGb: 20,
    volumeMountPath: '/home/coder/project',
    needsGpu: false,
    firstPage: {
      port: '8080',
      path: (volume) => (volume === null ? '/' : `/?${new URLSearchParams({ folder: volume }).toString()}`),
      readyPath: '/healthz',
      what: t`VS Code, after the password in PASSWORD.`,
      tokenVariable: null,
    },
  },
];

/** The name of an image without its tag and digest, and without the registry that an engine adds by itself. */
const repositoryOf = (imageName: string): string =>
  imageName
    .trim()
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '')
    .replace(/^docker\.io\/(?:library\/)?/, '');

/** The program of an image, whatever its tag; undefined for an image of another program. */
export function programOf(imageName: string): PodProgram | undefined {
  const repository = repositoryOf(imageName);
  return podPrograms.find((program) => repositoryOf(program.imageName) === repository);
}

export interface PageLink {
  /** "Open JupyterLab", or "Open port 8080" for a port of unknown use. */
  title: string;
  address: string;
}

type LinkedPod = Pick<Pod, 'imageName' | 'env' | 'volumeInGb' | 'volumeMountPath' | 'networkVolumeId'>;

const volumeOf = ({ volumeInGb, volumeMountPath, networkVolumeId }: LinkedPod): string | null =>
  volumeInGb > 0 || networkVolumeId ? volumeMountPath : null;

/** What opens an http port: "Open JupyterLab" for the first page of a known program, else "Open port 8888". */
export function pageTitle({ imageName }: Pick<LinkedPod, 'imageName'>, port: string): string {
  const program = programOf(imageName);
  return program?.firstPage?.port === port ? t`Open ${program.name}` : t`Open port ${port}`;
}

/** The link to an http port of a running Pod: to the first page of its program, if it is known. */
export function pageLink(pod: LinkedPod, { port, address }: { port: string; address: string }): PageLink {
  const title = pageTitle(pod, port);
  const page = programOf(pod.imageName)?.firstPage;
  if (page?.port !== port) return { title, address };
  const url = new URL(page.path(volumeOf(pod)), address);
  const token = page.tokenVariable === null ? undefined : pod.env[page.tokenVariable];
  if (token) url.searchParams.set('token', token);
  return { title, address: url.href };
}
