/** The definition of a page: its route, its place in the sidebar, and its component, which is loaded on first use. */
import { createElement, type Attributes, type ComponentType, type ReactElement, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import { pageFacts, type PageFacts } from '#contract/app/pages.ts';
import { t, translated } from '../../language/text.ts';
import { targetAccount } from '../../state/selection.ts';
import type { PageName, RouteOf, RouteParams } from '../../state/routePath.ts';
import { WhenShown } from './deferredPart.ts';
import { loadablePart, type LoadablePart } from '../primitives/lazyPart.ts';
import { FocusAtArrival } from './FocusAtArrival.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { PageTitleContext } from './PageTitle.tsx';
import { titleForTarget } from './targetTitle.ts';

/** The groups of the sidebar, in any language. */
export const pageGroups = {
  work: t`Work`,
  machines: t`Machines`,
  library: t`Library`,
  money: t`Money`,
  hangar: 'Hangar',
};

export interface PageDefinition<Name extends PageName> {
  /** Its name in `routes`. */
  route: Name;
  group: keyof typeof pageGroups;
  icon: LucideIcon;
  /** Loads the module whose default export renders it. Its props are the parameters of the route. */
  load: () => Promise<{ default: ComponentType<RouteParams<Name>> }>;
}

/** A page in the lists of the shell. */
export interface ShellPage extends Omit<PageDefinition<PageName>, 'load'> {
  /** Its heading, and its name in the sidebar, the palette and the sheet of shortcuts. */
  title: string;
  /** Null if it has no shortcut. */
  key: string | null;
}

export interface PageEntry<Name extends PageName> extends ShellPage {
  /** Renders the page for one of its routes. */
  render: (route: RouteOf<Name>) => ReactElement;
}

/** One page for each route, in the order of the sidebar. The compiler refuses a route without a page. */
export type Pages = { readonly [Name in PageName]: PageEntry<Name> };

/** Creates a page from its definition. Its title and keys come from the list that hosts share. */
export function definePage<Name extends PageName>({ load, ...page }: PageDefinition<Name>): PageEntry<Name> {
  const content = loadablePart(load);
  const { title: english, key }: PageFacts = pageFacts[page.route];
  const title = translated(english);
  return {
    ...page,
    title,
    key,
    render: (route) => (
      <Titled route={page.route} title={title}>
        <Loaded content={content}>
          {/* oxlint-disable-next-line typescript/consistent-type-assertions -- no route has a parameter that React reserves */}
          {(Content) => createElement(Content, route as RouteOf<Name> & Attributes)}
        </Loaded>
      </Titled>
    ),
  };
}

/** Gives the title to what shows it, also while the page loads. */
function Titled({ route, title, children }: Pick<ShellPage, 'route' | 'title'> & { children: ReactNode }) {
  return <PageTitleContext value={titleForTarget(route, title, targetAccount.use())}>{children}</PageTitleContext>;
}

interface LoadedProps<P> {
  content: LoadablePart<P>;
  children: (Content: ComponentType<P>) => ReactElement;
}

function Loaded<P>({ content, children }: LoadedProps<P>) {
  const Content = content.use();
  if (Content === null) return <PageSkeleton />;
  return (
    <>
      {/* Before the page, so that a part of it that takes the focus itself comes after. */}
      <FocusAtArrival />
      {children(Content)}
      <WhenShown />
    </>
  );
}
