/** GraphQL. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'Q-01',
    rule: 'The key comes in the address as `api_key`, or in the header with or without `Bearer`; no answer and no log tells it',
    file: 'conformance/graphql/graphql',
    tests: [
      'the key > is taken from the address, or from the header with or without Bearer',
      'the key > in the address is in no answer and no log',
    ],
  },
  {
    id: 'Q-02',
    rule: 'A missing or wrong key is a 401; catalogues and the schema are told without one',
    file: 'conformance/graphql/graphql',
    tests: [
      'the key > that is missing or wrong is a 401 with the code UNAUTHENTICATED, and with words',
      'the key > is not needed for catalogues and the schema, and for anything beside them it is',
    ],
  },
  {
    id: 'Q-03',
    rule: 'Queries need a key of the scope read, mutations one of the scope all; what counts is the operation that runs',
    file: 'conformance/graphql/graphql',
    tests: [
      'the key > of the scopes read and jobs is good for queries; mutations need the scope all, and 403 says so',
      'the key > is weighed by the operation that runs, where a document has several',
    ],
  },
  {
    id: 'Q-04',
    rule: 'One operation a request, by POST; lists and GET are refused with words',
    file: 'conformance/graphql/graphql',
    tests: ['what is refused > GET is a 405 that names POST', 'what is refused > %s is a 400 with words in errors'],
  },
  {
    id: 'Q-05',
    rule: 'A document that cannot be read or does not fit is a 400; a field that fails is a 200 with `errors`, a code in each, and null in its place',
    file: 'conformance/graphql/graphql',
    tests: [
      'what is refused > a document that cannot be read, or does not fit the schema, is a 400 that says where',
      'what is refused > variables that do not fit are a 400; a field that fails is a 200 with its error, a code, and null',
    ],
  },
  {
    id: 'Q-06',
    rule: 'Depth, cost and size of documents are limited, and what is too much is refused with the limit in its words',
    file: 'conformance/graphql/graphql',
    tests: [
      'what is refused > a document that is %s is a 400 that names the limit',
      'what is refused > a query of too many bytes is a 413 that names the limit',
      'what is refused > fragments that contain each other many times over are answered at once',
    ],
  },
  {
    id: 'Q-07',
    rule: 'The schema is told by introspection',
    file: 'conformance/graphql/graphql',
    tests: ['the schema > is told by introspection, as tools ask for it'],
  },
  {
    id: 'Q-08',
    rule: 'No document brings about a failure of the engine',
    file: 'conformance/graphql/graphql',
    tests: ['the schema > whatever is sent, the answer is never a failure of the engine'],
  },
  {
    id: 'Q-09',
    rule: '`saveTemplate` makes a template, or changes the named fields of one, of which its endpoints hear',
    file: 'conformance/graphql/resources',
    tests: [
      'templates > saveTemplate, as the Python SDK writes it, makes the template that /v1 then tells of',
      'templates > saveTemplate with an id changes the named fields only, and the endpoints of the template get new workers',
      'templates > what /v1 refuses of a template is refused here in the same words',
    ],
  },
  {
    id: 'Q-10',
    rule: '`podTemplates` and `podTemplate` tell of templates',
    file: 'conformance/graphql/resources',
    tests: ['templates > podTemplates and podTemplate tell of them; those that the real service ships are not here'],
  },
  {
    id: 'Q-11',
    rule: '`deleteTemplate` deletes by name, and not while it is in use',
    file: 'conformance/graphql/resources',
    tests: [
      'templates > deleteTemplate deletes by name, and one that is in use stays, with words that name who uses it',
    ],
  },
  {
    id: 'Q-12',
    rule: '`saveEndpoint` makes an endpoint, or replaces all of one',
    file: 'conformance/graphql/resources',
    tests: [
      'endpoints > saveEndpoint, as the Python SDK writes it, makes the endpoint that /v1 then tells of',
      'endpoints > saveEndpoint with an id replaces the whole of it: what is not said has its default again',
      'endpoints > an endpoint is read and sent back without a change, as the command-line tool does',
      'endpoints > what says where in the cloud workers may be is kept and told, and an endpoint on the CPU is asked for by its instances',
      'endpoints > an endpoint can be made together with its template, and leaves none behind where it cannot',
    ],
  },
  {
    id: 'Q-13',
    rule: '`gpuIds` names pools of GPU types, types, and types left out; `serverlessGpuPools` tells what a pool has',
    file: 'conformance/graphql/resources',
    tests: ['endpoints > pools of GPU types, types, and types left out are written in one line, and read back as such'],
  },
  {
    id: 'Q-14',
    rule: '`updateEndpointTemplate` gives an endpoint another template',
    file: 'conformance/graphql/resources',
    tests: ['endpoints > updateEndpointTemplate gives an endpoint another template, also as older tools write it'],
  },
  {
    id: 'Q-15',
    rule: '`myself` tells of endpoints, volumes and registry auths; `deleteEndpoint` deletes one with its jobs',
    file: 'conformance/graphql/resources',
    tests: [
      'endpoints > the list of endpoints has what tools of the cloud ask for',
      'endpoints > deleteEndpoint deletes it with its jobs',
    ],
  },
  {
    id: 'Q-16',
    rule: 'Network volumes and registry auths are made, changed and deleted; what is secret is never told',
    file: 'conformance/graphql/account',
    tests: [
      'network volumes and registry auths > a network volume is made, listed, enlarged and deleted',
      'network volumes and registry auths > a registry auth is saved, given other credentials and deleted, and never tells what is secret',
    ],
  },
  {
    id: 'Q-17',
    rule: 'The account has an id and a public key, which is kept; what only a cloud has is null',
    file: 'conformance/graphql/account',
    tests: [
      'the account > tells what tools of the cloud ask for; what only a cloud has is null',
      'the account > updateUserSettings keeps the public key, over a restart too, and refuses a private one',
    ],
  },
  {
    id: 'Q-18',
    rule: '`gpuTypes` lists the GPUs of this machine by product name, then its processor',
    file: 'conformance/graphql/gpuTypes',
    tests: ['the GPU types > gpuTypes lists the GPUs of this machine by product name, and its processor after them'],
  },
  {
    id: 'Q-19',
    rule: 'A GPU type is told with its price, and with the lowest price and the stock of as many as are wanted',
    file: 'conformance/graphql/gpuTypes',
    tests: [
      'the GPU types > a GPU type is asked for by its id, with the lowest price of as many GPUs as are wanted',
      'the GPU types > a GPU that its person keeps is not in stock',
    ],
  },
  {
    id: 'Q-20',
    rule: '`cpuFlavors`, `cpuTypes` and `dataCenters` tell of this machine',
    file: 'conformance/graphql/gpuTypes',
    tests: [
      'the GPU types > the processor is a flavor with a price for its cores, and this machine the one data center, all without a key',
    ],
  },
  {
    id: 'Q-21',
    rule: '`podFindAndDeployOnDemand` makes a Pod and starts it, with its variables and the public key of the account',
    file: 'conformance/containers/graphqlPods',
    tests: [
      'Pods over GraphQL > podFindAndDeployOnDemand, as the Python SDK writes it, starts a container with its variables and the public key',
      'Pods over GraphQL > what is not possible is an error of the mutation, in the words of /v1',
    ],
  },
  {
    id: 'Q-22',
    rule: '`myself.pods` and `pod` tell of Pods, and of what a running one does',
    file: 'conformance/containers/graphqlPods',
    tests: [
      'Pods over GraphQL > the list of Pods, as the Python SDK and the command-line tool ask for it, tells of a running one',
    ],
  },
  {
    id: 'Q-23',
    rule: '`podStop` stops a Pod, `podResume` goes on with its volume, `podTerminate` deletes it',
    file: 'conformance/containers/graphqlPods',
    tests: [
      'Pods over GraphQL > podStop stops it and keeps its volume, podResume goes on with it, podTerminate deletes it',
    ],
  },
  {
    id: 'Q-24',
    rule: '`deployCpuPod` makes a Pod on the CPU',
    file: 'conformance/containers/graphqlPods',
    tests: [
      'Pods over GraphQL > deployCpuPod, as the Python SDK writes it, runs on the CPU with the cores and the memory of its instance, and says what holds its disk',
    ],
  },
  {
    id: 'Q-25',
    rule: '`podEditJob` changes a Pod; `podRentInterruptable` makes one as well',
    file: 'conformance/containers/graphqlPods',
    tests: [
      'Pods over GraphQL > podEditJob changes what a Pod runs, and podRentInterruptable makes one that is INTERRUPTABLE',
    ],
  },
  {
    id: 'Q-26',
    rule: 'Whatever a field of the root types is asked with, it answers, or fails in words',
    file: 'conformance/graphql/fuzz',
    tests: ['every field of the root types answers whatever it is asked with, and fails in words'],
  },
  {
    id: 'Q-27',
    rule: 'What runpodctl, the Python and Flash SDKs, dstack, SkyPilot, gpuhunt and the documentation send fits the schema',
    file: 'conformance/graphql/tools',
    tests: ['every operation that a public tool sends is executed'],
  },
  {
    id: 'Q-28',
    rule: 'What is not there to be deleted is refused in the words that tools compare',
    file: 'conformance/graphql/tools',
    tests: ['what tools read > what is not there to be deleted is refused in the words that tools compare'],
  },
  {
    id: 'Q-29',
    rule: 'Secrets are created, listed without their values, filled in for workers and Pods as they start, and deleted',
    file: 'conformance/graphql/tools',
    tests: [
      'secrets > a secret is created, listed without its value, sealed on disk, filled in for workers, and deleted',
    ],
  },
] satisfies Rule[];
