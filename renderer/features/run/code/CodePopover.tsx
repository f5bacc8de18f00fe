/** The request as code in the languages that people have, to take along. */
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { CodeText } from '../../../ui/code/CodeText.tsx';
import type { CodeLanguage } from '../../../ui/code/codeLanguages.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { StreamedNote } from '../../../ui/job/stream/StreamedNote.tsx';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import styles from '../run.module.css';
import { KeyMaker } from '../../../ui/keys/KeyMaker.tsx';
import { liftFiles } from './bodyFiles.ts';
import {
  KEY_VARIABLE,
  languagesFor,
  makeSnippet,
  snippetLanguages,
  type SnippetClient,
  type SnippetLanguage,
  type SnippetRequest,
} from './snippets.ts';
import { ReasonText } from '../../../ui/popover/ReasonButton.tsx';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { rich, t } from '../../../language/text.ts';

const SHOWN_CHARS = 20_000;

/** The endpoint that the code calls. */
export interface CalledEndpoint extends Pick<SnippetRequest, 'address' | 'endpointId'> {
  /** The account whose keys the address takes. */
  accountId: string;
  endpointName: string;
  /** Whether Hangar makes keys for that account. */
  makesKeys: boolean;
}

export interface CodeRequest extends SnippetRequest, CalledEndpoint {}

/** `request` is null while the address is not known. */
export function CodeLinks({ request }: { request: CodeRequest | null }) {
  return (
    <Group gap={2} wrap="nowrap" role="group" aria-label={t`Request as code`}>
      {languagesFor(request ?? { mode: 'run', body: '' }).map((language) => (
        <CodeLink key={language} language={language} request={request} />
      ))}
    </Group>
  );
}

const shortNames: Partial<Record<SnippetLanguage, string>> = { JavaScript: 'JS' };
/** What a client is called beside the others of its language, where that is not its package. */
const clientNames: Partial<Record<SnippetClient, string>> = {
  'openai-python': 'Python',
  'openai-javascript': 'JavaScript',
};
const codeLanguages: Record<SnippetClient, CodeLanguage> = {
  curl: 'curl',
  runpod: 'Python',
  requests: 'Python',
  'runpod-sdk': 'JavaScript',
  fetch: 'JavaScript',
  'openai-python': 'Python',
  'openai-javascript': 'JavaScript',
};
const nameOf = (client: SnippetClient): string => clientNames[client] ?? client;

function CodeLink({ language, request }: { language: SnippetLanguage; request: CodeRequest | null }) {
  const [open, setOpen] = useState(false);
  useCommands([request !== null && { label: t`Request in ${language}`, run: () => setOpen(true) }]);
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" withRoles>
      <Popover.Target>
        <ReasonText
          className={styles.codeLink}
          whyNot={request === null ? t`The address of the endpoint is not known yet.` : null}
          onClick={() => setOpen(!open)}
        >
          {shortNames[language] ?? language}
        </ReasonText>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t`Request in ${language}`}>
        {request !== null && <Snippet language={language} request={request} />}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whether the code may print an empty output, because the handler yields. */
const losesChunks = ({ mode, yields = null }: SnippetRequest): boolean =>
  mode === 'run' ? yields === null : mode === 'runsync' && yields !== false;

function Snippet({ language, request }: { language: SnippetLanguage; request: CodeRequest }) {
  const clients: readonly SnippetClient[] = snippetLanguages[language];
  const [chosen, setChosen] = useState<SnippetClient | null>(null);
  const client = chosen ?? clients[0] ?? 'curl';
  const code = makeSnippet(client, request);
  const files = new Set(liftFiles(request.body, request.files).files.map(({ name }) => name));
  return (
    <Stack gap={0} className={styles.snippet}>
      <Group justify="space-between" px={14} py={6} mih={42} wrap="nowrap">
        <Text fw={550}>{language}</Text>
        {clients.length > 1 && (
          <Segments
            aria-label={t`Client`}
            size="xs"
            ml="auto"
            data={clients.map((value) => ({ value, label: nameOf(value) }))}
            value={client}
            onChange={(value) => setChosen(clients.find((known) => known === value) ?? null)}
          />
        )}
        <CopyButton text={code} label={t`Copy ${language} code`} size={26} />
      </Group>
      <pre tabIndex={0} role="region" aria-label={t`Code for ${nameOf(client)}`}>
        <CodeText
          language={codeLanguages[client]}
          text={code.length > SHOWN_CHARS ? `${code.slice(0, SHOWN_CHARS)}…` : code}
        />
      </pre>
      <Stack gap={8} px={14} py={10}>
        {language !== 'OpenAI' && losesChunks(request) && (
          <Text fz="xs" c="dimmed">
            <StreamedNote isKnown={request.yields === true} operation={request.mode === 'run' ? 'status' : 'runsync'} />
          </Text>
        )}
        {files.size > 0 && (
          <Text fz="xs" c="dimmed">{t`Reads ${[...files].join(', ')} from the folder in which it runs.`}</Text>
        )}
        <Text fz="xs" c="dimmed">
          {rich`Needs a key in ${<code>{KEY_VARIABLE}</code>}.`}{' '}
          {!request.makesKeys && t`Create keys for this account on its own site.`}
        </Text>
        {request.makesKeys && (
          <KeyMaker
            accountId={request.accountId}
            from={t`Code of ${request.endpointName}`}
            endpoint={{ id: request.endpointId, name: request.endpointName }}
          />
        )}
      </Stack>
    </Stack>
  );
}
