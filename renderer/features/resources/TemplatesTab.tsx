/** The templates of an account, for Pods and workers. */
import { useState } from 'react';
import { Kbd } from '@mantine/core';
import { Copy, Plus, SquarePen, Trash2 } from 'lucide-react';
import type { ResourcesNow, TemplateRow } from '#contract/bridge/resource.ts';
import { useCommands } from '../../state/commands.ts';
import { useTarget } from '../../client/accounts.ts';
import { useWhyNotNow } from '../../client/away.ts';
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
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

interface TabProps {
  accountId: string;
  /** The name of the target in the middle of a sentence. */
  target: string;
  now: ResourcesNow;
}

export function TemplatesTab({ accountId, target, now }: TabProps) {
  /** REST v2 copies a template into the created resource. */
  const copies = useTarget().account?.dialect === 'v2';
  const [sheet, setSheet] = useState<TemplateSheetOf | null>(null);
  const [removing, setRemoving] = useState<TemplateRow | null>(null);
  const make = () => setSheet({ template: null, copyOf: null });
  const whyNot = useWhyNotNow();
  useCommands([whyNot === null && { label: t`New template on ${target}`, keys: 'N', run: make }]);
  const begin = (
    <ReasonButton
      leftSection={<Plus size={14} aria-hidden />}
      rightSection={<Kbd aria-hidden>N</Kbd>}
      whyNot={whyNot}
      onClick={make}
    >{t`New template`}</ReasonButton>
  );
  return (
    <>
      {now.templates.length === 0 ? (
        <Empty
          title={t`No templates on ${target} yet`}
          action={begin}
        >{t`A template describes a Pod or a worker: an image or a folder, a command, variables, disks and ports.`}</Empty>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.tools}>
            <p>
              {joinSentences(
                t`Settings for Pods and workers.`,
                copies
                  ? t`Changes apply to what you create later.`
                  : t`Changes apply to everything that uses the template.`,
              )}
            </p>
            {begin}
          </div>
          <PlainTable
            label={t`Templates`}
            className={styles.table}
            rows={now.templates}
            keyOf={({ id }) => id}
            columns={[
              {
                title: t`Name`,
                isHeader: true,
                cell: (template) => (
                  <button type="button" className={styles.open} onClick={() => setSheet({ template, copyOf: null })}>
                    {template.name}
                  </button>
                ),
              },
              {
                title: t`Source`,
                needs: 'medium',
                hint: ({ imageName }) => imageName,
                cell: sourceOf,
                cellClass: styles.cut,
              },
              { title: t`For`, needs: 'medium', cell: ({ isServerless }) => (isServerless ? t`Workers` : t`Pods`) },
              {
                title: t`Used by`,
                cell: ({ usedBy }) => <UsedBy accountId={accountId} usedBy={usedBy} />,
                cellClass: styles.users,
              },
              { title: t`Id`, needs: 'wide', cell: ({ id }) => <Id text={id} copyLabel={t`Copy template id`} /> },
              {
                title: t`Actions`,
                isTitleHidden: true,
                cell: (template) => (
                  <RowMenu
                    name={template.name}
                    items={[
                      { label: t`Edit…`, icon: SquarePen, onClick: () => setSheet({ template, copyOf: null }) },
                      {
                        label: t`Copy as new…`,
                        icon: Copy,
                        onClick: () => setSheet({ template: null, copyOf: template }),
                      },
                      { label: t`Delete…`, icon: Trash2, onClick: () => setRemoving(template) },
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
        question={(name) => t`Delete the template ${name}?`}
        action={t`Delete the template`}
        deleted={t`The template is deleted.`}
        row={removing}
        podsProblem={now.podsProblem}
        remove={(id) => api.resources.removeTemplate({ accountId, id })}
        onClose={() => setRemoving(null)}
      >
        <p>{t`Nothing uses it. Its folder or image is kept.`}</p>
      </RemoveDialog>
    </>
  );
}
