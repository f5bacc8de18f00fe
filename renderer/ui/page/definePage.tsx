/** What a page is: its route, its place in the sidebar, its shortcut, and the component that is loaded when it is first shown. */
import { createElement, Suspense, type Attributes, type ComponentType, type ReactElement } from 'react';
import type { LucideIcon } from 'lucide-react';
import type { PageName, RouteOf, RouteParams } from '../../state/routePath.ts';
import { lazyPart } from '../primitives/lazyPart.ts';
import { PageTitleContext } from './PageTitle.tsx';

export type PageGroup = 'Work' | 'Machines' | 'Library' | 'Money' | 'Hangar';

export interface PageDefinition<Name extends PageName> {
  /** Its name among `routes`. */
  route: Name;
  group: PageGroup;
  /** Its heading, and its name in the sidebar, the palette and the sheet of shortcuts. */
  title: string;
  icon: LucideIcon;
  /** Keys that lead to it from anywhere, such as `Mod+,`. Without them it is numbered: see `withShortcuts`. */
  key?: string;
  /** The module whose default export draws it. Its props are the parameters of the route. */
  load: () => Promise<{ default: ComponentType<RouteParams<Name>> }>;
}

/** A page as the shell leads to it. */
export interface ShellPage extends Omit<PageDefinition<PageName>, 'load' | 'key'> {
  /** Null where no keys lead to it. */
  key: string | null;
}

export interface PageEntry<Name extends PageName> extends ShellPage {
  /** Draws it for a route of its own. */
  render: (route: RouteOf<Name>) => ReactElement;
}

/** One page for each route, in the order of the sidebar. A route without a page does not type-check. */
export type Pages = { readonly [Name in PageName]: PageEntry<Name> };

/** Makes a page of its definition. */
export function definePage<Name extends PageName>({ load, key, ...page }: PageDefinition<Name>): PageEntry<Name> {
  const Content: ComponentType<RouteParams<Name>> = lazyPart(load);
  return {
    ...page,
    key: key ?? null,
    render: (route) => (
      <PageTitleContext value={page.title}>
        <Suspense fallback={null}>
          {/* No route has a parameter that React keeps for itself, which the compiler cannot know. */}
          {createElement(Content, route as RouteOf<Name> & Attributes)}
        </Suspense>
      </PageTitleContext>
    ),
  };
}

const DIGITS = 9;

/** Numbers the pages that have no keys of their own: `Mod+1` to `Mod+9`. Those beyond the ninth have no shortcut. */
export function withShortcuts(pages: readonly ShellPage[]): ShellPage[] {
  const numbered = pages.filter(({ key }) => key === null).slice(0, DIGITS);
  return pages.map((page) => ({
    ...page,
    key: page.key ?? (numbered.includes(page) ? `Mod+${numbered.indexOf(page) + 1}` : null),
  }));
}
