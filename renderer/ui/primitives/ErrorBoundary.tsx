/** Keeps what goes wrong in one part of the page from taking the rest with it. */
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button, Group } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';
import { PartLoadError } from './lazyPart.ts';
import { Notice } from './Notice.tsx';

interface ErrorBoundaryProps {
  /** What is inside, as the message calls it: "This page". */
  what: string;
  /** Another value begins anew: what failed is shown no longer. */
  of: string;
  children: ReactNode;
}

/** What was thrown is wrapped: even `null` can be thrown. */
interface Failure {
  thrown: unknown;
}

interface ErrorBoundaryState {
  of: string;
  failure: Failure | null;
}

const NOTHING_LOST = 'Nothing was lost: what runs goes on, and what was kept is still there.';

/** Shows its children, or, once one of them has thrown while it was drawn, what a person can do about it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { of: this.props.of, failure: null };
  /** The components that the failure came through, for the details. */
  private components = '';

  static getDerivedStateFromError(thrown: unknown): Partial<ErrorBoundaryState> {
    return { failure: { thrown } };
  }

  static getDerivedStateFromProps({ of }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState | null {
    return of === state.of ? null : { of, failure: null };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.components = componentStack ?? '';
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const isLoadError = failure.thrown instanceof PartLoadError;
    return (
      <Notice
        tone="bad"
        title={`${this.props.what} could not be shown`}
        action={
          <Group gap={6} wrap="nowrap">
            {/* A file that could not be loaded is not asked for again before the whole page is. */}
            {!isLoadError && (
              <Button size="xs" variant="default" onClick={() => this.setState({ failure: null })}>
                Try again
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => location.reload()}>
              Load it again
            </Button>
            <CopyButton text={() => detailsOf(this.props.what, failure, this.components)} what="details" size={26} />
          </Group>
        }
      >
        {isLoadError
          ? `Its files could not be loaded: Hangar may have ended, or have been replaced by a newer version. Load it again. ${NOTHING_LOST}`
          : `Something in it went wrong, which is a fault of Hangar. Try again; if that does not help, load it again. ${NOTHING_LOST}`}
      </Notice>
    );
  }
}

/** For whoever mends it: what was thrown, where, and in which components. */
function detailsOf(what: string, { thrown }: Failure, components: string): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? `Cause: ${thrown.cause.message}` : '';
  const where = `At ${location.hash} on ${new Date().toISOString()}, in ${navigator.userAgent}`;
  return [`${what} could not be shown.`, where, textOf(thrown), cause, components && `Components:${components}`]
    .filter((part) => part !== '')
    .join('\n');
}

/** An error with its stack; anything else as JSON. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return JSON.stringify(thrown) ?? 'undefined';
  return thrown.stack ?? `${thrown.name}: ${thrown.message}`;
}
