/** Managing templates, endpoints, volumes and registry auths. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'V-01',
    rule: 'A template has the fields and defaults of the description; its name is unique',
    file: 'conformance/rest/management',
    tests: ['templates > a template of a name and an image has every default of the description'],
  },
  {
    id: 'V-02',
    rule: 'Templates are listed, read, made, changed by PATCH or POST …/update, and deleted with 204',
    file: 'conformance/rest/resources',
    tests: [
      'templates > a template needs a name and an imageName; the rest has defaults',
      'templates > the list is a bare array with every template',
      'templates > %s changes the named fields only (path suffix "%s")',
      'templates > names are unique: a second template of the same name is a 400 that says so',
      'templates > DELETE answers 204 and the template is gone',
      'templates > a template that an endpoint uses is not deleted',
    ],
  },
  {
    id: 'V-03',
    rule: 'Templates that endpoints use are listed for those who ask for them',
    file: 'conformance/rest/management',
    tests: ['templates > templates that endpoints use are listed for those who ask for them'],
  },
  {
    id: 'V-04',
    rule: 'What is fixed when a template or an endpoint is made is not changed',
    file: 'conformance/rest/management',
    tests: [
      'templates > category and isServerless are fixed: another value is a 400 that names the field, the same one is none',
      'endpoints > computeType is fixed: another one is a 400 that says so, the same one is none',
    ],
  },
  {
    id: 'V-05',
    rule: 'An endpoint has the fields and defaults of the description',
    file: 'conformance/rest/management',
    tests: [
      'endpoints > an endpoint of a template alone has every default of the description',
      'endpoints > what only a cloud can heed is kept and told as it was sent',
      'endpoints > networkVolumeId is the first of networkVolumeIds, and either of them can be sent',
    ],
  },
  {
    id: 'V-06',
    rule: 'Endpoints are listed, read, made, changed by PATCH or POST …/update, and deleted with 204',
    file: 'conformance/rest/resources',
    tests: [
      'endpoints > an endpoint that names nothing but its template has the defaults of the description',
      'endpoints > the list is a bare array with every endpoint',
      'endpoints > %s changes the named fields only (path suffix "%s")',
      'endpoints > DELETE answers 204; the endpoint and its jobs are gone',
    ],
  },
  {
    id: 'V-07',
    rule: 'An endpoint is told with its template where that is asked for',
    file: 'conformance/rest/management',
    tests: ['endpoints > an endpoint is told with its template where that is asked for'],
  },
  {
    id: 'V-08',
    rule: 'Network volumes are folders: made, changed by PATCH or POST …/update, and deleted with what is in them',
    file: 'conformance/rest/volumes',
    tests: [
      'network volumes > a network volume is a folder of this machine, named for it',
      'network volumes > a network volume is changed by %s (path suffix "%s"), and its folder stays',
      'network volumes > a network volume that an endpoint uses is not deleted, and the message names the endpoint',
    ],
  },
  {
    id: 'V-09',
    rule: 'A network volume is in a region, which its making names, and only grows',
    file: 'conformance/rest/management',
    tests: [
      'network volumes > a network volume is said to be in any region of the description, or in that of this machine',
      'network volumes > size is from 0 to 4000 GB, and may only grow',
    ],
  },
  {
    id: 'V-10',
    rule: 'A registry auth tells its name, which is unique; deleting answers 204, and 400 for an id that there is not',
    file: 'conformance/rest/volumes',
    tests: [
      'container registry auths > a container registry auth tells its id and name, and its password lies nowhere in plain text',
      'container registry auths > deleting a container registry auth answers 204, and 400 for an id that there is not',
      'container registry auths > a container registry auth that a template uses is not deleted, and the message names the template',
    ],
  },
  {
    id: 'V-11',
    rule: 'Names of registry auths are unique',
    file: 'conformance/rest/management',
    tests: ['names of container registry auths are unique: a second one is a 400 that names it'],
  },
  {
    id: 'V-12',
    rule: 'A wrong value is a 400 that names its field or parameter; what is not known is ignored',
    file: 'conformance/rest/management',
    tests: [
      'what is sent > %s is a 400 that names the parameter',
      'what is sent > POST %s with a wrong %s (%j) is a 400 that names it',
      'what is sent > parameters and fields that are not known are ignored',
      'what is sent > a body that is no object, no JSON, or nested ten thousand deep is answered in words',
    ],
  },
  {
    id: 'V-13',
    rule: 'Changes that are sent at once lose nothing of each other',
    file: 'conformance/rest/management',
    tests: ['what is sent > changes that are sent at once lose nothing of each other'],
  },
  {
    id: 'V-14',
    rule: 'Answers are as the description of the real service has them',
    file: 'conformance/containers/restDescription',
    tests: [
      'the description of the real service > allows every answer about templates, endpoints, volumes, registry auths and billing',
      'the description of the real service > allows workers as they are told with their endpoint',
      'the description of the real service > allows every answer about Pods, and its examples of them work',
    ],
  },
  {
    id: 'V-15',
    rule: 'Every example of the description works as it is',
    file: 'conformance/containers/restDescription',
    tests: [
      'the description of the real service > every example of a query works as it is, each alone and all together',
      'the description of the real service > every example of a body works as it is, each field alone and all together',
    ],
  },
  {
    id: 'V-16',
    rule: 'The management API tells of itself at /v1/openapi.json, and in a page at /v1/docs that needs no script, both without a key',
    file: 'conformance/rest/docs',
    tests: [
      'the page is served without a key, and may load and run nothing',
      'the page tells of every operation and every schema of the document, and its links lead somewhere',
      'what a document says is text in the page, whatever it is',
    ],
  },
  {
    id: 'V-17',
    rule: 'Every route of /v1 is in its document, and its answers are as documented',
    file: 'conformance/rest/openapi',
    tests: [
      'every route that is served is in a document, and every operation of a document is served',
      'real answers are as documented > of the management API',
    ],
  },
  {
    id: 'V-18',
    rule: 'Every operation of REST v2 is served, or refused with a sentence',
    file: 'conformance/restV2/restV2',
    tests: ['every operation of the description is in the list of what is served and what is refused'],
  },
  {
    id: 'V-19',
    rule: 'Errors of REST v2 are problem details that name every field that is wrong',
    file: 'conformance/restV2/restV2',
    tests: ['what is wrong > is told as problem details that name every field, unknown ones as well'],
  },
  {
    id: 'V-20',
    rule: 'Pages of REST v2 leave nothing out when a record is deleted between two of them',
    file: 'conformance/restV2/restV2',
    tests: ['lists > come in pages that leave nothing out when a record is deleted between two of them'],
  },
  {
    id: 'V-21',
    rule: 'An endpoint of REST v2 holds what its workers are made of, which is deleted with it',
    file: 'conformance/restV2/endpoints',
    tests: [
      'an endpoint > holds what its workers are made of, runs jobs at the addresses it tells, and goes with its template',
    ],
  },
  {
    id: 'V-22',
    rule: 'The document of /v1 differs from the published description in nothing that has no reason',
    file: 'conformance/rest/differences',
    tests: [
      'the document of /v1 > differs from the published description in nothing that has no reason',
      'the document of /v1 > has no reason for what is no difference any more',
    ],
  },
] satisfies Rule[];
