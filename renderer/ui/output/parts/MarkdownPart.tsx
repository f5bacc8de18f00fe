/**
 * Formatted text. The parser only reads: React makes the elements, so no HTML of a worker ever becomes part of the page.
 * HTML inside the text is shown as the text it is.
 */
import { Fragment, memo, useMemo, type ReactNode } from 'react';
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { languageNamed } from '../../code/codeLanguages.ts';
import { CodeText } from '../../code/CodeText.tsx';
import { CopyButton } from '../../primitives/CopyButton.tsx';
import { markdownSegments } from '../markdownSigns.ts';
import { readMedia } from '../media.ts';
import type { PartProps } from '../partProps.ts';
import { MediaItem } from './MediaItem.tsx';
import styles from './text.module.css';
import { TextPart } from './TextPart.tsx';
import { t } from '../../../language/text.ts';

/** Longer texts are shown plain: a browser lays out no page of that length at once. */
const FORMATTED_CHARS = 300_000;

export default function MarkdownPart({ part, live }: PartProps<'markdown'>) {
  if (part.text.length > FORMATTED_CHARS) return <TextPart part={{ kind: 'text', text: part.text }} live={live} />;
  return <Markdown text={part.text} live={live} />;
}

export function Markdown({ text, live = false }: { text: string; live?: boolean }) {
  return (
    <div className={styles.markdown} data-live={live || undefined}>
      {markdownSegments(text).map((segment, index) => (
        <Segment key={index} text={segment} />
      ))}
    </div>
  );
}

const Segment = memo(({ text }: { text: string }) =>
  lexer(text).map((block, index) => <Block key={index} raw={block.raw} token={block} />),
);

/** While a text grows, only its last block changes: the others have the same source. */
const Block = memo(
  ({ token }: { token: Token; raw: string }) => show(token),
  (before, after) => before.raw === after.raw,
);

const showAll = (tokens: readonly Token[] | undefined): ReactNode =>
  (tokens ?? []).map((token, index) => <Fragment key={index}>{show(token)}</Fragment>);

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};
const plain = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => entities[name] ?? name);

/** The headings of the page are above those of an output. */
const headings = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

/** Whether the parser itself made the token. No extensions are installed, so this is always true. */
const isOurs = (token: Token): token is MarkedToken => !('childTokens' in token);

function show(token: Token): ReactNode {
  if (!isOurs(token)) return token.raw;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      // A picture may stand there as a card, which is no part of a paragraph.
      return hasPicture(token.tokens) ? <div>{showAll(token.tokens)}</div> : <p>{showAll(token.tokens)}</p>;
    case 'heading': {
      const Heading = headings[token.depth - 1] ?? 'h6';
      return <Heading>{showAll(token.tokens)}</Heading>;
    }
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'blockquote':
      return <blockquote>{showAll(token.tokens)}</blockquote>;
    case 'strong':
      return <strong>{showAll(token.tokens)}</strong>;
    case 'em':
      return <em>{showAll(token.tokens)}</em>;
    case 'del':
      return <del>{showAll(token.tokens)}</del>;
    case 'codespan':
      return <code>{plain(token.text)}</code>;
    case 'code':
      return <CodeBlock text={token.text} language={token.lang} />;
    case 'list':
      return <List token={token} />;
    case 'list_item':
      return showAll(token.tokens);
    case 'checkbox':
      return null;
    case 'table':
      return <Table token={token} />;
    case 'link':
      return <Link href={token.href}>{showAll(token.tokens)}</Link>;
    case 'image':
      return <Picture href={token.href} text={token.text} />;
    case 'html':
      return token.raw;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? showAll(token.tokens) : plain(token.text);
  }
}

const hasPicture = (tokens: readonly Token[]): boolean =>
  tokens.some(
    (token) => token.type === 'image' || (isOurs(token) && token.type === 'link' && hasPicture(token.tokens)),
  );

function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} aria-label={language ? t`Code, ${language}` : t`Code`} role="region">
        <code>
          <CodeText language={languageNamed(language)} text={text} />
        </code>
      </pre>
      <CopyButton text={text} label={t`Copy code`} />
    </div>
  );
}

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    <li key={index} className={item.task ? styles.task : undefined}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled readOnly aria-label={t`Task`} />}
      {item.task && ' '}
      {showAll(item.tokens)}
    </li>
  ));
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token }: { token: Tokens.Table }) {
  const align = (index: number) => ({ textAlign: token.align[index] ?? 'left' }) as const;
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={t`Table`}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col" style={align(index)}>
                {showAll(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} style={align(index)}>
                  {showAll(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Only addresses of the web and of mail are links; everything else is its words. The title shows where it leads. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return children;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

function Picture({ href, text }: { href: string; text: string }) {
  const media = useMemo(() => readMedia(href, 'image'), [href]);
  return media ? <MediaItem media={media} label={text} inline /> : text;
}
