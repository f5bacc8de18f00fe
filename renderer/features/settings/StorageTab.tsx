/** What the ledger keeps, where everything is kept, and how much it is. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { Fact, Facts } from '../../ui/primitives/DescriptionList.tsx';
import { formatBytes, formatCount, formatMemory } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { LedgerBlock } from './ledger/LedgerBlock.tsx';
import { placeWords } from './placeWords.ts';
import styles from './settings.module.css';

const MB = 1024 * 1024;
const sizeWords = (bytes: number): string => (bytes < 100 * MB ? formatBytes(bytes) : formatMemory(bytes));

export function StorageTab() {
  return (
    <div className={styles.body}>
      <LedgerBlock />
      <Kept />
    </div>
  );
}

function Kept() {
  const { data, error, isError, isFetching, refetch } = useQuery(orpc.host.places.queryOptions({ retry: false }));
  const again = (label: string) => (
    <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
      {label}
    </Button>
  );
  if (isError && !data) {
    return (
      <Empty title="The data folder could not be read" action={again('Try again')}>
        {errorText(error)}
      </Empty>
    );
  }
  const sorted = data?.places.toSorted((one, other) => other.bytes - one.bytes);
  const total = sorted?.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <section className={styles.block} aria-labelledby="kept">
      <h2 id="kept">Where everything is kept</h2>
      <p>All that Hangar keeps for you lies below this folder. Images of containers are kept by Docker or Podman.</p>
      <Facts>
        <Fact name="Folder">
          {data ? <Id text={data.dataDir} what="data folder" /> : <Skeleton h={10} w={240} radius={4} />}
        </Fact>
        <Fact name="Takes">
          {total === undefined ? <Skeleton h={10} w={60} radius={4} /> : sizeWords(total)}
          {data?.places.some(({ whole }) => !whole) && ' at least'}
        </Fact>
        <Fact name="Disk">
          {!data ? (
            <Skeleton h={10} w={60} radius={4} />
          ) : data.freeBytes === null ? (
            'the system does not tell what is free'
          ) : (
            `${formatMemory(data.freeBytes)} free`
          )}
        </Fact>
      </Facts>
      {isError && (
        <Notice tone="wait" title="Not counted anew.">
          {errorText(error)}
        </Notice>
      )}
      <div className={styles.tableScroll}>
        <PlainTable
          className={styles.table}
          rows={sorted}
          keyOf={({ kind }) => kind}
          columns={[
            {
              title: 'What',
              isHeader: true,
              cell: ({ kind }) => (
                <>
                  {placeWords[kind].title}
                  <span>{placeWords[kind].text}</span>
                </>
              ),
            },
            {
              title: 'Where',
              cell: ({ kind, path }) => <Id text={path} what={`path of ${placeWords[kind].title.toLowerCase()}`} />,
            },
            { title: 'Files', cell: ({ files }) => formatCount(files) },
            { title: 'Size', cell: ({ bytes, whole }) => `${sizeWords(bytes)}${whole ? '' : ' at least'}` },
          ]}
        />
      </div>
      <div className={styles.actions}>{again('Count again')}</div>
    </section>
  );
}
