import { describe, expect, it } from 'vitest';
import { isImageName } from '#contract/api/imageName.ts';
import { newPodValues, podForm } from '../podForm.ts';
import { fillProgram } from './fillProgram.ts';
import { pageLink, podPrograms, programOf } from './programs.ts';

const valueOf = (change: ReturnType<typeof fillProgram>, name: string) =>
  change.env?.find((row) => row.name === name)?.value;

describe.each(podPrograms)('the program $name', (program) => {
  it('gives a form that can be sent, with an image whose tag stays the same', () => {
    expect([
      ...podForm.problemsOf({ ...newPodValues, name: program.id, ...fillProgram(program, newPodValues) }),
    ]).toEqual([]);
    expect(isImageName(program.imageName)).toBe(true);
    expect(program.imageName).toMatch(/:.*\d+[.-]?\d+/);
    expect(program.imageName).not.toMatch(/latest/);
  });

  it('is found by its image with any tag, and has its first page at one of its http ports', () => {
    const [repository] = program.imageName.split(/:(?=[^/]*$)/);
    expect(programOf(`${repository}:other`)).toBe(program);
    expect(programOf(`docker.io/${repository}@sha256:abc`)).toBe(program);
    expect(programOf(`${repository}-other:1`)).toBeUndefined();
    if (program.firstPage) expect(program.ports).toContain(`${program.firstPage.port}/http`);
    expect(program.firstPage?.readyPath ?? '/').toMatch(/^\//);
  });
});

const programNamed = (id: string) => podPrograms.find((program) => program.id === id) ?? null;

it('a program gets passwords of its own each time, and the variables of the person stay when another one is chosen', () => {
  const mine = { name: 'MINE', value: '1' };
  const jupyter = fillProgram(programNamed('jupyterlab'), { imageName: '', env: [mine] });
  expect(valueOf(jupyter, 'JUPYTER_TOKEN')).toMatch(/^[0-9a-f]{32}$/);
  const again = fillProgram(programNamed('jupyterlab'), { imageName: '', env: [] });
  expect(valueOf(again, 'JUPYTER_TOKEN')).not.toBe(valueOf(jupyter, 'JUPYTER_TOKEN'));
  const code = fillProgram(programNamed('code-server'), { ...newPodValues, ...jupyter });
  expect(code.env?.map(({ name }) => name)).toEqual(['MINE', 'PASSWORD']);
  expect(fillProgram(null, { ...newPodValues, ...code })).toMatchObject({
    imageName: '',
    env: [mine],
    ports: ['8888/http'],
  });
});

it('the link to the first page has its path, the folder of the volume and the token; another port has its number', () => {
  const volume = { volumeInGb: 20, volumeMountPath: '/home/jovyan/work', networkVolumeId: null };
  const pod = { imageName: 'quay.io/jupyter/base-notebook:2025-10-21', env: { JUPYTER_TOKEN: 'abc' }, ...volume };
  const address = 'http://p-8888.localhost:47800/';
  const jupyter = (fields: Partial<Parameters<typeof pageLink>[0]>) =>
    pageLink({ ...pod, ...fields }, { port: '8888', address }).address;
  expect(pageLink(pod, { port: '8888', address })).toEqual({
    title: 'Open JupyterLab',
    address: 'http://p-8888.localhost:47800/lab/tree/work?token=abc',
  });
  expect(jupyter({ env: {} })).toBe('http://p-8888.localhost:47800/lab/tree/work');
  expect(jupyter({ volumeInGb: 0 })).toBe('http://p-8888.localhost:47800/lab?token=abc');
  // JupyterLab shows no folder outside of its home.
  expect(jupyter({ volumeMountPath: '/workspace' })).toBe('http://p-8888.localhost:47800/lab?token=abc');
  expect(pageLink(pod, { port: '6006', address })).toEqual({ title: 'Open port 6006', address });
  expect(pageLink({ ...pod, imageName: 'mine:1' }, { port: '8888', address }).title).toBe('Open port 8888');
});

it('code-server opens the folder of the volume, also of a network volume', () => {
  const pod = {
    imageName: 'codercom/code-server:4.104.2',
    env: {},
    volumeInGb: 0,
    volumeMountPath: '/home/coder/project',
  };
  const link = (networkVolumeId: string | null) =>
    pageLink({ ...pod, networkVolumeId }, { port: '8080', address: 'http://p-8080.localhost/' }).address;
  expect(link('shared')).toBe('http://p-8080.localhost/?folder=%2Fhome%2Fcoder%2Fproject');
  expect(link(null)).toBe('http://p-8080.localhost/');
});
