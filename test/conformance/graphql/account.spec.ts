/** Network volumes, registry auths and the account over GraphQL, with the operations that public tools send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';
import { accepted } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const one = async <T>(query: string, field: string, variables?: object): Promise<T> =>
  (await graphqlData(engine, query, variables))[field] as T;
const rest = async <T>(path: string): Promise<T> => accepted(await engine.http.get(path)) as T;
interface WithId {
  id: string;
}

describe('network volumes and registry auths', () => {
  test('a network volume is made, listed, enlarged and deleted', async () => {
    const volume = await one<WithId>(
      'mutation { createNetworkVolume(input: { name: "models", size: 10, dataCenterId: "EU-RO-1" }) { id name size dataCenterId } }',
      'createNetworkVolume',
    );
    expect(await rest(`/v1/networkvolumes/${volume.id}`)).toEqual(volume);
    const change = 'mutation ($input: UpdateNetworkVolumeInput) { updateNetworkVolume(input: $input) { name size } }';
    expect(await one(change, 'updateNetworkVolume', { input: { id: volume.id, size: 20 } })).toEqual({
      name: 'models',
      size: 20,
    });
    const { networkVolumes } = await one<{ networkVolumes: object[] }>(
      'query getNetworkVolumes { myself { networkVolumes { dataCenterId id name size } } }',
      'myself',
    );
    expect(networkVolumes).toContainEqual({ ...volume, size: 20 });
    await graphqlData(engine, `mutation { deleteNetworkVolume(input: { id: "${volume.id}" }) }`);
    expect((await engine.http.get(`/v1/networkvolumes/${volume.id}`)).status).toBe(404);
  });

  test('a registry auth is saved, given other credentials and deleted, and never tells what is secret', async () => {
    const save =
      'mutation SaveRegistryAuth { saveRegistryAuth(input: { name: "mine", username: "me", password: "s3cret-one" }) { id name } }';
    const { id } = await one<WithId>(save, 'saveRegistryAuth');
    const update = `mutation UpdateRegistryAuth { updateRegistryAuth(input: { id: "${id}", username: "me", password: "s3cret-two" }) { id name } }`;
    expect(await one(update, 'updateRegistryAuth')).toEqual({ id, name: 'mine' });
    const credentials = await graphqlData(
      engine,
      '{ myself { containerRegistryCreds { id name userId registryAuth } } }',
    );
    expect(credentials).toEqual({
      myself: { containerRegistryCreds: [{ id, name: 'mine', userId: 'local', registryAuth: null }] },
    });
    expect(JSON.stringify(credentials) + engine.stderr).not.toContain('s3cret');
    expect(
      await graphqlData(engine, `mutation DeleteRegistryAuth { deleteRegistryAuth(registryAuthId: "${id}") }`),
    ).toEqual({ deleteRegistryAuth: null });
    expect(await rest('/v1/containerregistryauth')).toEqual([]);
  });
});

describe('the account', () => {
  test('tells what tools of the cloud ask for; what only a cloud has is null', async () => {
    const account =
      '{ myself { id email clientBalance spendLimit notifyPodsStale notifyPodsGeneral notifyLowBalance minBalance underBalance } }';
    expect(await graphqlData(engine, account)).toEqual({
      myself: {
        id: 'local',
        email: null,
        clientBalance: null,
        spendLimit: null,
        notifyPodsStale: null,
        notifyPodsGeneral: null,
        notifyLowBalance: null,
        minBalance: null,
        underBalance: null,
      },
    });
  });

  test('updateUserSettings keeps the public key, over a restart too, and refuses a private one', async () => {
    await using own = await startEngine();
    const pubKey = 'ssh-ed25519 AAAAC3Nza me@here\n\nssh-rsa AAAAB3Nza other';
    const update =
      'mutation Mutation($input: UpdateUserSettingsInput) { updateUserSettings(input: $input) { id pubKey } }';
    expect(await graphqlData(own, update, { input: { pubKey } })).toEqual({
      updateUserSettings: { id: 'local', pubKey },
    });
    await own.stop();
    await own.restart();
    expect(await graphqlData(own, 'query myself { myself { id pubKey } }')).toEqual({
      myself: { id: 'local', pubKey },
    });
    const secret = { input: { pubKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbg\n' } };
    expect((await askGraphql(own, update, { variables: secret })).errors[0]?.message).toMatch(/private key/);
    expect(
      (await askGraphql(own, update, { variables: { input: { pubKey: 'x'.repeat(70_000) } } })).errors[0]?.message,
    ).toMatch(/65536/);
  });
});
