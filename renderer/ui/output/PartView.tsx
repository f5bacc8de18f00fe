/**
 * The registry of output views: one for each kind of part. Those of text and JSON are small and often wanted; the others
 * are loaded when they are first shown.
 */
import { createElement } from 'react';
import { Skeleton } from '@mantine/core';
import { loadablePart, loadedPart, type LoadablePart } from '../primitives/lazyPart.ts';
import TablePart from './parts/TablePart.tsx';
import { TextPart } from './parts/TextPart.tsx';
import TreePart from './parts/TreePart.tsx';
import type { PartProps } from './partProps.ts';
import type { OutputPart, PartKind } from './readOutput.ts';

type Views = { readonly [Kind in PartKind]: LoadablePart<PartProps<Kind>> };

const views: Views = {
  text: loadedPart(TextPart),
  markdown: loadablePart(() => import('./parts/MarkdownPart.tsx')),
  chat: loadablePart(() => import('./parts/ChatPart.tsx')),
  images: loadablePart(() => import('./parts/ImagesPart.tsx')),
  players: loadablePart(() => import('./parts/PlayersPart.tsx')),
  files: loadablePart(() => import('./parts/FilesPart.tsx')),
  table: loadedPart(TablePart),
  tree: loadedPart(TreePart),
};

interface ViewProps<Kind extends PartKind> {
  kind: Kind;
  part: OutputPart<Kind>;
  live: boolean;
}

/** The view of one kind. A part of another kind needs an element of its own. */
function View<Kind extends PartKind>({ kind, part, live }: ViewProps<Kind>) {
  const view: LoadablePart<PartProps<Kind>> = views[kind];
  const Part = view.use();
  return Part === null ? <Skeleton h={60} radius={6} /> : createElement(Part, { part, live });
}

export const PartView = ({ part, live = false }: { part: OutputPart; live?: boolean }) => (
  <View key={part.kind} kind={part.kind} part={part} live={live} />
);
