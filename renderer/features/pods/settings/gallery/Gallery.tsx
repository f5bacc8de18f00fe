/** The gallery of programs that a new Pod can start from, a card each. */
import type { ComponentType } from 'react';
import {
  CodeXml,
  Flame,
  MessagesSquare,
  NotebookText,
  Package,
  SquareTerminal,
  Workflow,
  type LucideProps,
} from 'lucide-react';
import styles from './gallery.module.css';
import { podPrograms, type PodProgram } from './programs.ts';
import { t } from '../../../../language/text.ts';

const icons: Readonly<Record<string, ComponentType<LucideProps>>> = {
  python: SquareTerminal,
  pytorch: Flame,
  jupyterlab: NotebookText,
  comfyui: Workflow,
  vllm: MessagesSquare,
  'code-server': CodeXml,
};

interface GalleryProps {
  /** Null: an image of the person's own. */
  chosen: PodProgram | null;
  onChoose: (program: PodProgram | null) => void;
}

export function Gallery({ chosen, onChoose }: GalleryProps) {
  return (
    <>
      <ul className={styles.cards} aria-label={t`Start from`}>
        {podPrograms.map((program) => (
          <Card
            key={program.id}
            icon={icons[program.id] ?? Package}
            title={program.name}
            what={program.what}
            isChosen={program === chosen}
            onChoose={() => onChoose(program)}
          />
        ))}
        <Card
          icon={Package}
          title={t`Custom image`}
          what={t`Any image, or a docker run command`}
          isChosen={chosen === null}
          onChoose={() => onChoose(null)}
        />
      </ul>
      {chosen !== null && (
        <p className={styles.first}>
          {chosen.firstPage
            ? t`Its first page, at port ${chosen.firstPage.port}: ${chosen.firstPage.what}`
            : t`It has no page: open a terminal in it. Files in ${chosen.volumeMountPath} are kept.`}
        </p>
      )}
    </>
  );
}

interface CardProps {
  icon: ComponentType<LucideProps>;
  title: string;
  what: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Card({ icon: Icon, title, what, isChosen, onChoose }: CardProps) {
  return (
    <li>
      <button type="button" aria-pressed={isChosen} onClick={onChoose}>
        <Icon size={16} aria-hidden />
        <span>
          <b>{title}</b>
          <span>{what}</span>
        </span>
      </button>
    </li>
  );
}
