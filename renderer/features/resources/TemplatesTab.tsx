/** The templates of an account: what Pods and workers are made of. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { Copy, Plus, SquarePen, Trash2 } from 'lucide-react';
import type { ResourcesNow, TemplateRow } from '#contract/bridge/resource.ts';
import { useTarget } from '../../client/accounts.ts';
import { api } from '../../client/transport/orpc.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import styles from '../../ui/theme/resources.module.css';
import { RowMenu } from '../../ui/primitives/RowMenu.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { sourceOf } from './templateForm.ts';
import { TemplateSheet, type TemplateSheetOf } from './TemplateSheet.tsx';
import { UsedBy } from './UsedBy.tsx';

interface TabProps {
  accountId: string;
  /** As it stands within a sentence. */
  target: string;
  now: ResourcesNow;
}

export function TemplatesTab({ accountId, target, now }: TabProps) {
  /** REST v2 copies a template into what is made of it. */
  const copies = useTarget().account?.dialect === 'v2';
  const [sheet, setSheet] = useState<TemplateSheetOf | null>(null);
  const [removing, setRemoving] = useState<TemplateRow | null>(null);
  const begin = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setSheet({ template: null, copyOf: null })}>
      New template
    </Button>
  );
  return (
    <>
      {now.templates.length === 0 ? (
        <Empty title={`No template on ${target} yet`} action={begin}>
          A template says what a Pod or a worker is made of: an image or a folder, a command, variables, disks and
          ports.
        </Empty>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.tools}>
            <p>
              What Pods and workers are made of.{' '}
              {copies ? 'A change holds for what is made later.' : 'A change holds for whatever is made of it.'}
            </p>
            {begin}
          </div>
          <PlainTable
            label="Templates"
            className={styles.table}
            rows={now.templates}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Name',
                isHeader: true,
                cell: (template) => (
                  <button type="button" className={styles.open} onClick={() => setSheet({ template, copyOf: null })}>
                    {template.name}
                  </button>
                ),
              },
              {
                title: 'Made of',
                needs: 'medium',
                hint: ({ imageName }) => imageName,
                cell: (template) => <span className={styles.cut}>{sourceOf(template)}</span>,
              },
              { title: 'For', needs: 'medium', cell: ({ isServerless }) => (isServerless ? 'workers' : 'Pods') },
              { title: 'Used by', cell: ({ usedBy }) => <UsedBy usedBy={usedBy} /> },
              { title: 'Id', needs: 'wide', cell: ({ id }) => <Id text={id} what="template id" /> },
              {
                title: 'Actions',
                isTitleHidden: true,
                cell: (template) => (
                  <RowMenu
                    name={template.name}
                    items={[
                      { label: 'Edit…', icon: SquarePen, onClick: () => setSheet({ template, copyOf: null }) },
                      {
                        label: 'Copy as new…',
                        icon: Copy,
                        onClick: () => setSheet({ template: null, copyOf: template }),
                      },
                      { label: 'Delete…', icon: Trash2, onClick: () => setRemoving(template) },
                    ]}
                  />
                ),
              },
            ]}
          />
        </div>
      )}
      <TemplateSheet
        accountId={accountId}
        target={target}
        of={sheet}
        registryAuths={now.registryAuths}
        onClose={() => setSheet(null)}
      />
      <RemoveDialog
        what="template"
        row={removing}
        podsProblem={now.podsProblem}
        remove={(id) => api.resources.removeTemplate({ accountId, id })}
        onClose={() => setRemoving(null)}
      >
        <p>Nothing is made of it. The folder or image that it names stays.</p>
      </RemoveDialog>
    </>
  );
}
