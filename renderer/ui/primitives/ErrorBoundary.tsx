/** Keeps what goes wrong in one part of the page from taking the rest with it. */
import { Component, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Notice } from './Notice.tsx';

interface BoundaryProps {
  /** What is inside, as the message calls it. */
  what: string;
  /** Another value begins anew: what failed is shown no longer. */
  of: string;
  children: ReactNode;
}

interface BoundaryState {
  of: string;
  failure: string | null;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, failure: null };

  static getDerivedStateFromError(thrown: unknown): Partial<BoundaryState> {
    return { failure: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { of, failure: null };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <Notice
        tone="bad"
        title={`${this.props.what} could not be shown`}
        action={
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      >
        {failure} Nothing was lost: what runs goes on, and what was kept is still there.
      </Notice>
    );
  }
}
