/** Limits a failure to one part of the page. */
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button, Group } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';
import { PartLoadError } from './lazyPart.ts';
import { Notice } from './Notice.tsx';
import { t } from '../../language/text.ts';

interface ErrorBoundaryProps {
  /** The name of the content in the message: "This page". */
  what: string;
  /** A new value renders the content again. */
  of: string;
  children: ReactNode;
}

/** Wraps the thrown value, which may be `null`. */
interface Failure {
  thrown: unknown;
}

interface ErrorBoundaryState {
  of: string;
  failure: Failure | null;
}

const NOTHING_LOST = t`Nothing was lost, and your jobs continue.`;

/** Renders its children; after a failure of one of them, a message with possible actions. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { of: this.props.of, failure: null };
  /** The component stack of the failure, for the details. */
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
        title={t`${this.props.what} could not be shown`}
        action={
          <Group gap={6} wrap="nowrap">
            {/* A module that failed to load is requested again only after a reload of the page. */}
            {!isLoadError && (
              <Button
                size="xs"
                variant="default"
                onClick={() => this.setState({ failure: null })}
              >{t`Try again`}</Button>
            )}
            <Button size="xs" variant="default" onClick={() => location.reload()}>{t`Load the page again`}</Button>
            <CopyButton
              text={() => detailsOf(this.props.what, failure, this.components)}
              label={t`Copy details`}
              size={26}
            />
          </Group>
        }
      >
        {isLoadError
          ? t`Its files could not be loaded: Hangar may have quit or been updated. Load the page again. ${NOTHING_LOST}`
          : t`This is a bug in Hangar. Try again. If that does not help, load the page again. ${NOTHING_LOST}`}
      </Notice>
    );
  }
}

/** A report for a developer: the thrown value, its place, and the components around it. */
function detailsOf(what: string, { thrown }: Failure, components: string): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? `Cause: ${thrown.cause.message}` : '';
  const where = `At ${location.hash} on ${new Date().toISOString()}, in ${navigator.userAgent}`;
  return [t`${what} could not be shown.`, where, textOf(thrown), cause, components && `Components:${components}`]
    .filter((part) => part !== '')
    .join('\n');
}

/** An error with its stack; anything else as JSON. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return JSON.stringify(thrown) ?? 'undefined';
  return thrown.stack ?? `${thrown.name}: ${thrown.message}`;
}
