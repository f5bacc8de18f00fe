import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDockerRun } from './dockerRun.ts';

describe('a docker run command', () => {
  it('is read into the fields of a Pod', () => {
    const run = readDockerRun(`$ sudo docker run -d --rm -it \\
      --gpus all --shm-size=8g --ipc=host --restart unless-stopped \\
      --name my-llm -p 8000:8000 -p 127.0.0.1:22:22/tcp \\
      -e HF_TOKEN=abc --env 'GREETING=two words' -v /workspace \\
      vllm/vllm-openai:v0.11.0 --model "my model" --port 8000`);
    expect(run).toEqual({
      imageName: 'vllm/vllm-openai:v0.11.0',
      name: 'my-llm',
      ports: ['8000/http', '22/tcp'],
      env: [
        { name: 'HF_TOKEN', value: 'abc' },
        { name: 'GREETING', value: 'two words' },
      ],
      command: ['--model', 'my model', '--port', '8000'],
      entrypoint: null,
      volumeMountPath: '/workspace',
      gpus: 'all',
      cpus: null,
      memoryGb: null,
      notTaken: [],
    });
  });

  it.each([
    [
      'docker run -itp8080:80 nginx',
      { ports: ['80/http'], notTaken: ['port 8080 of the computer (the Pod has an address for 80)'] },
    ],
    ['docker run -p 53:53/udp dns', { ports: [], notTaken: ['-p 53:53/udp'] }],
    ['docker run -p 8000-8010:8000-8010 many', { ports: [], notTaken: ['-p 8000-8010:8000-8010'] }],
    ['docker run -p 5432:5432 postgres', { ports: ['5432/tcp'], notTaken: [] }],
    ['podman run --device nvidia.com/gpu=0 --device nvidia.com/gpu=1 x', { gpus: 2, notTaken: [] }],
    ['docker run --runtime=nvidia x', { gpus: 'all' }],
    ['docker run --gpus 2 x', { gpus: 2 }],
    [`docker run --gpus '"device=0,2"' x`, { gpus: 2 }],
    ['docker run --cpus 1.5 x', { cpus: 2, notTaken: ['--cpus 1.5 (a Pod has whole cores: 2)'] }],
    ['docker run --cpus many x', { cpus: null, notTaken: ['--cpus many'] }],
    ['docker run --cpus 2 --memory 4g x', { cpus: 2, memoryGb: 4, notTaken: [] }],
    ['docker run -m 6144m x', { memoryGb: 6, notTaken: [] }],
    ['docker run --memory=1.5GiB x', { memoryGb: 2, notTaken: [] }],
    ['docker run --memory much x', { memoryGb: null, notTaken: ['--memory much'] }],
    ['docker run --entrypoint /bin/sh x -c "a && b"', { entrypoint: ['/bin/sh'], command: ['-c', 'a && b'] }],
    ['docker run x --help && docker logs x', { command: ['--help'], notTaken: ['&& docker logs x'] }],
    [
      'docker run -v ./data:/data:ro -v cache:/cache -v /var/run/docker.sock:/var/run/docker.sock x',
      {
        volumeMountPath: '/data',
        notTaken: [
          'the files in ./data (the Pod has a volume of its own at /data)',
          '-v cache:/cache',
          '-v /var/run/docker.sock:/var/run/docker.sock',
        ],
      },
    ],
    ['docker run -v "C:\\me:/data" x', { volumeMountPath: '/data' }],
    ['docker run -v ~/.cache:/root/.cache x', { volumeMountPath: '/root/.cache' }],
    ['docker run --mount type=bind,src=/srv,dst=/data x', { volumeMountPath: '/data' }],
    ['docker run --mount type=tmpfs,dst=/tmp x', { volumeMountPath: null, notTaken: ['--mount type=tmpfs,dst=/tmp'] }],
    [
      'docker run -e HOME_OF x',
      { env: [{ name: 'HOME_OF', value: '' }], notTaken: ['the value of HOME_OF, which is in your shell'] },
    ],
    ['docker run -e "A=$HOME/b" x', { notTaken: ['the value of $HOME, which only your shell knows'] }],
    [
      'docker run --network host --cap-add=SYS_ADMIN -u 1000 x',
      { imageName: 'x', notTaken: ['--network host', '--cap-add=SYS_ADMIN', '-u 1000'] },
    ],
    ['docker run --env-file .env x', { notTaken: ['--env-file .env (paste its text into the variables)'] }],
    ['docker run -d', { imageName: '', notTaken: ['the image, which is missing'] }],
    ['docker run ^\r\n  -p 80:80 ^\r\n  nginx', { imageName: 'nginx', ports: ['80/http'] }],
    ['docker run x "not closed', { notTaken: ['a quote that is not closed'] }],
  ])('%s', (text, fields) => {
    expect(readDockerRun(text)).toMatchObject(fields);
  });

  it.each(['ubuntu:24.04', 'docker pull x', 'docker', 'docker-run x', ''])('is not %j', (text) => {
    expect(readDockerRun(text)).toBeNull();
  });

  it('names every option that has no field, whatever the option is', () => {
    const name = fc.stringMatching(/^zz[a-z-]{1,8}[a-z]$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 4 }), (names) => {
        const options = names.map((one) => `--${one}=1`);
        expect(readDockerRun(`docker run ${options.join(' ')} image`)).toMatchObject({
          imageName: 'image',
          notTaken: options,
        });
      }),
    );
  });

  it('is read whatever stands in it', () => {
    const unit = fc.constantFrom(' ', '-', 'p', 'v', '=', ':', '"', "'", '8', '/', '$', ',', '--mount', '--gpus');
    fc.assert(fc.property(fc.string({ unit }), (text) => void readDockerRun(`docker run ${text}`)));
  });
});
