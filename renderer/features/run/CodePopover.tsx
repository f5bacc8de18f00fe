/** The request as curl, Python or JS, to take along. */
import { Code, Group, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import styles from './run.module.css';
import { KEY_VARIABLE, makeSnippet, snippetLanguages, type SnippetLanguage, type SnippetRequest } from './snippets.ts';

const SHOWN_CHARS = 20_000;

/** `request` is null while the address is not known. */
export function CodeLinks({ request }: { request: SnippetRequest | null }) {
  return (
    <Group gap={2} wrap="nowrap" role="group" aria-label="Request as code">
      {snippetLanguages.map((language) => (
        <CodeLink key={language} language={language} request={request} />
      ))}
    </Group>
  );
}

function CodeLink({ language, request }: { language: SnippetLanguage; request: SnippetRequest | null }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="top-end" trapFocus returnFocus withRoles>
      <Popover.Target>
        <UnstyledButton className={styles.codeLink} disabled={request === null} onClick={() => setOpen(!open)}>
          {language}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0}>{request !== null && <Snippet language={language} request={request} />}</Popover.Dropdown>
    </Popover>
  );
}

function Snippet({ language, request }: { language: SnippetLanguage; request: SnippetRequest }) {
  const code = makeSnippet(language, request);
  return (
    <Stack gap={0} className={styles.snippet}>
      <Group justify="space-between" px={14} py={6} wrap="nowrap">
        <Text fw={550}>{language}</Text>
        <CopyButton text={code} what={`${language} code`} size={26} />
      </Group>
      <pre tabIndex={0}>{code.length > SHOWN_CHARS ? `${code.slice(0, SHOWN_CHARS)}…` : code}</pre>
      <Text px={14} py={8} fz="xs" c="dimmed">
        Needs a key in <Code>{KEY_VARIABLE}</Code>. Hangar printed the first one when it started for the first time.
      </Text>
    </Stack>
  );
}
