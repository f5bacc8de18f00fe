/** The registry of output views: one for each kind of part. All but plain text are loaded when they are first shown. */
import { createElement, Suspense, type ComponentType } from 'react';
import { Skeleton } from '@mantine/core';
import { lazyPart } from '../primitives/lazyPart.ts';
import { TextPart } from './parts/TextPart.tsx';
import type { PartProps } from './partProps.ts';
import type { OutputPart, PartKind } from './readOutput.ts';

type Views = { readonly [Kind in PartKind]: ComponentType<PartProps<Kind>> };

const views: Views = {
  text: TextPart,
  markdown: lazyPart(() => import('./parts/MarkdownPart.tsx')),
  chat: lazyPart(() => import('./parts/ChatPart.tsx')),
  images: lazyPart(() => import('./parts/ImagesPart.tsx')),
  players: lazyPart(() => import('./parts/PlayersPart.tsx')),
  files: lazyPart(() => import('./parts/FilesPart.tsx')),
  table: lazyPart(() => import('./parts/TablePart.tsx')),
  tree: lazyPart(() => import('./parts/TreePart.tsx')),
};

/** The element of one part, with the view of its kind. */
function viewOf<Kind extends PartKind>(kind: Kind, part: OutputPart<Kind>, live: boolean) {
  const View: ComponentType<PartProps<Kind>> = views[kind];
  return createElement(View, { part, live });
}

export function PartView({ part, live = false }: { part: OutputPart; live?: boolean }) {
  return <Suspense fallback={<Skeleton h={60} radius={6} />}>{viewOf(part.kind, part, live)}</Suspense>;
}
