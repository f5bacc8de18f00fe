import { describe, expect, it } from 'vitest';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { podCreateSchema } from '#contract/api/pod.ts';
import {
  curlOf,
  hardwareValues,
  makesAnew,
  newPodValues,
  podForm,
  priceOf,
  toCreate,
  type PodValues,
} from './podForm.ts';

const { problemsOf, changesOf } = podForm;

const values = (change: Partial<PodValues> = {}): PodValues => ({
  ...newPodValues,
  name: 'mine',
  imageName: 'ubuntu:24.04',
  ...change,
});
const offer = (id: string, securePrice: number) => ({
  id,
  displayName: id,
  manufacturer: '',
  memoryInGb: 24,
  cudaCores: null,
  secureCloud: true,
  communityCloud: false,
  securePrice,
  communityPrice: securePrice,
  maxGpuCount: 2,
  lowestPrice: null,
});

describe('the form of a Pod', () => {
  it('is sent as the service takes it, on the processor or on GPUs', () => {
    const onCpu = toCreate(values());
    expect(podCreateSchema.parse(onCpu)).toMatchObject({ computeType: 'CPU', vcpuCount: 2 });
    expect(onCpu).not.toHaveProperty('gpuTypeIds');
    const onGpu = toCreate(values({ gpuTypeId: 'RTX', gpuCount: 2 }));
    expect(podCreateSchema.parse(onGpu)).toMatchObject({ computeType: 'GPU', gpuTypeIds: ['RTX'], gpuCount: 2 });
  });

  it('asks for no volume of its own beside a network volume', () => {
    const pod = toCreate(values({ networkVolumeId: 'vol' }));
    expect(pod).toMatchObject({ networkVolumeId: 'vol' });
    expect(pod).not.toHaveProperty('volumeInGb');
  });

  it('names what is wrong by its field', () => {
    expect([...problemsOf(values()).keys()]).toEqual([]);
    const wrong = problemsOf(values({ name: ' ', ports: ['99999/http'], containerDiskInGb: '4x' }));
    expect([...wrong.keys()].sort()).toEqual(['containerDiskInGb', 'name', 'ports']);
    expect(problemsOf(values({ imageName: 'file:///home/me' })).get('imageName')).toContain(
      'Only endpoints can run folders',
    );
  });

  it('sends only what was changed, and knows what makes the container anew', () => {
    const renamed = changesOf(values(), values({ name: 'other', locked: true }));
    expect(renamed.change).toEqual({ name: 'other', locked: true });
    expect(makesAnew(renamed.list)).toBe(false);
    expect(makesAnew(changesOf(values(), values({ ports: [] })).list)).toBe(true);
  });

  it('has the price of all GPUs, or cores, together', () => {
    const offers = [offer('RTX', 0.5), offer(CPU_TYPE, 0.01)];
    expect(priceOf(values({ gpuTypeId: 'RTX', gpuCount: 2 }), offers)).toBe(1);
    expect(priceOf(values({ vcpuCount: 4 }), offers)).toBe(0.04);
    expect(priceOf(values({ gpuTypeId: 'gone' }), offers)).toBeNull();
  });

  it('names the processor that was chosen of those the service tells, with as many cores as it has at least', () => {
    const offers = [offer('RTX', 0.5), { ...offer('cpu5c', 0.03), vcpu: { min: 4, max: 32 } }];
    const onFlavor = values(hardwareValues('cpu5c', offers));
    expect(toCreate(onFlavor)).toMatchObject({ computeType: 'CPU', cpuFlavorIds: ['cpu5c'], vcpuCount: 4 });
    expect(priceOf(onFlavor, offers)).toBe(0.12);
    const back = toCreate({ ...onFlavor, ...hardwareValues('RTX', offers) });
    expect(back).toMatchObject({ computeType: 'GPU', gpuTypeIds: ['RTX'] });
    expect(back).not.toHaveProperty('cpuFlavorIds');
  });

  it('is copied as a command that holds no key, and quotes for the shell', () => {
    const curl = curlOf(values({ name: "it's mine" }), 'http://127.0.0.1:8000');
    expect(curl).toContain(`"name":"it'\\''s mine"`);
    expect(curl).toContain('Bearer $HANGAR_API_KEY');
  });
});
