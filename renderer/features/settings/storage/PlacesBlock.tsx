/** Every place on this computer where Hangar keeps something, with its size. */
import { Button, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Place } from '#contract/bridge/data/places.ts';
import { useAway } from '../../../client/away.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { Fact, Facts } from '../../../ui/primitives/DescriptionList.tsx';
import { Id } from '../../../ui/primitives/Id.tsx';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { formatCount, formatMemory } from '../../../ui/text/format.ts';
import styles from '../settings.module.css';
import { placeSize, placeWords, sizeWords } from './placeWords.ts';
import { usePlaceOrder } from './usePlaceOrder.ts';
import { usePlaces } from './usePlaces.ts';
import { t } from '../../../language/text.ts';

export function PlacesBlock() {
  const { data, error, isError, isFetching, refetch } = usePlaces();
  const show = useMutation({ mutationFn: (path: string) => api.data.open({ path }) });
  const { ordered, sort } = usePlaceOrder(data);
  const countAgain = () => {
    sort();
    void refetch();
  };
  useCommands([{ label: t`Count the data again`, run: countAgain }]);
  const away = useAway('app');
  const isDesktop = window.hangarHost !== undefined;
  if (isError && !data) {
    return (
      <section className={styles.block} aria-labelledby="kept">
        <h2 id="kept">{t`Where your data is`}</h2>
        <LoadError
          source="app"
          title={t`The data folder could not be read`}
          problem={errorText(error)}
          retry={() => void refetch()}
        />
      </section>
    );
  }
  const total = ordered?.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  return (
    <section className={styles.block} aria-labelledby="kept" aria-busy={data === undefined || undefined}>
      <h2 id="kept">{t`Where your data is`}</h2>
      <p>{t`Every place on this computer that Hangar uses. Container images belong to Docker or Podman.`}</p>
      <Facts>
        <Fact name={t`Data folder`}>
          {data ? <Id text={data.dataDir} copyLabel={t`Copy data folder`} /> : <Skeleton h={10} w={240} radius={4} />}
        </Fact>
        <Fact name={t`Size`}>
          {total === undefined ? (
            <Skeleton h={10} w={60} radius={4} />
          ) : data?.places.some(({ size }) => size !== 'counted') ? (
            t`at least ${sizeWords(total)}`
          ) : (
            sizeWords(total)
          )}
          {data && !data.isDone && !isError && <span role="status"> {`· ${t`still counting`}`}</span>}
        </Fact>
        <Fact name={t`Disk`}>
          {!data ? (
            <Skeleton h={10} w={60} radius={4} />
          ) : data.freeBytes === null ? (
            t`The system does not report the free space`
          ) : (
            t`${formatMemory(data.freeBytes)} free`
          )}
        </Fact>
      </Facts>
      {isError && away === null && (
        <Notice tone="wait" title={t`The count was interrupted.`}>
          {errorText(error)}
        </Notice>
      )}
      {show.isError && (
        <Notice tone="bad" title={t`Not opened.`}>
          {errorText(show.error)}
        </Notice>
      )}
      <div className={styles.tableScroll}>
        <PlainTable
          className={`${styles.table} ${styles.places}`}
          rows={ordered}
          keyOf={({ kind, path }) => `${kind} ${path}`}
          columns={[
            {
              title: t`Data`,
              isHeader: true,
              cell: ({ kind, path }) => (
                <>
                  {placeWords[kind].title}
                  <span>{placeWords[kind].text}</span>
                  <span className={styles.narrowPath}>{path}</span>
                </>
              ),
            },
            { title: t`Where`, cell: (place) => <Where place={place} />, needs: 'medium' },
            ...(isDesktop
              ? [
                  {
                    title: t`Show`,
                    isTitleHidden: true,
                    cell: ({ path, isPath, kind }: Place) =>
                      isPath && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={t`Show ${placeWords[kind].title}`}
                          onClick={() => show.mutate(path)}
                        >{t`Show`}</Button>
                      ),
                  },
                ]
              : []),
            {
              title: t`Files`,
              isNumber: true,
              cell: ({ files }) => (files === null ? '' : formatCount(files)),
              needs: 'wide',
            },
            { title: t`Size`, isNumber: true, cell: placeSize },
          ]}
        />
      </div>
      <div className={styles.actions}>
        <Button size="xs" variant="default" loading={isFetching} onClick={countAgain}>{t`Count again`}</Button>
      </div>
    </section>
  );
}

function Where({ place: { kind, path, isPath, names } }: { place: Place }) {
  if (isPath) return <Id text={path} copyLabel={t`Copy path of ${placeWords[kind].title}`} keepsEnd />;
  return (
    <span className={styles.told}>
      {path}
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
    </span>
  );
}
