/** The start of a new Pod: a program of the gallery, a template, or an image. */
import { useState } from 'react';
import { Select } from '@mantine/core';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { Section } from '../../../ui/form/Section.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { fillProgram } from './gallery/fillProgram.ts';
import { Gallery } from './gallery/Gallery.tsx';
import { programOf } from './gallery/programs.ts';
import { fillDockerRun } from './paste/fillDockerRun.ts';
import { readDockerRun } from './paste/dockerRun.ts';
import { ImageFields, type FieldsProps } from './PodFields.tsx';
import { fromTemplate } from './podForm.ts';
import { t } from '../../../language/text.ts';

interface SourceFieldsProps extends FieldsProps {
  /** False where the Pod begins with the settings of another one or of a template. */
  hasGallery: boolean;
  /** Whether the cores and the memory of a Pod can be limited there. */
  hasLimits: boolean;
}

export function SourceFields({ hasGallery, hasLimits, ...fields }: SourceFieldsProps) {
  const { values, choices, onChange } = fields;
  const templates = choices?.templates ?? [];
  const template = templates.find(({ id }) => id === values.templateId);
  const variables = Object.keys(template?.env ?? {});
  const [notTaken, setNotTaken] = useState<readonly string[] | null>(null);
  /** Fills the form in another way than by a command. */
  const fill: typeof onChange = (change) => {
    setNotTaken(null);
    onChange(change);
  };
  const takeCommand = (text: string): boolean => {
    const run = readDockerRun(text);
    if (run === null) return false;
    const filled = fillDockerRun(run, values, choices?.gpuTypes ?? [], hasLimits);
    onChange(filled.change);
    setNotTaken(filled.notTaken);
    return true;
  };
  const program = (template ? undefined : programOf(values.imageName)) ?? null;
  return (
    <>
      {hasGallery && (
        <Section title={t`Start from`}>
          <Gallery chosen={program} onChoose={(next) => next !== program && fill(fillProgram(next, values))} />
        </Section>
      )}
      <Section title={t`Source`}>
        {templates.length > 0 && (
          <Select
            label={t`Template`}
            data={[
              { value: '', label: t`None: only an image` },
              ...templates.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={values.templateId}
            allowDeselect={false}
            onChange={(id) => {
              const next = templates.find((known) => known.id === id);
              fill(next ? { ...fromTemplate(next), name: values.name || next.name } : { templateId: '' });
            }}
          />
        )}
        {variables.length > 0 && <p className={panel.hint}>{t`Variables of the template: ${variables.join(', ')}`}</p>}
        <ImageFields {...fields} takeCommand={takeCommand} isNew />
      </Section>
      {notTaken !== null && (
        <Notice tone={notTaken.length > 0 ? 'wait' : 'off'} title={t`Filled in from the docker run command.`}>
          {notTaken.length > 0 && t`Not applied: ${notTaken.join('; ')}.`}
        </Notice>
      )}
      {program?.needsGpu === true && values.gpuTypeId === CPU_TYPE && (
        <Notice
          tone="wait"
          title={t`${program.name} needs a GPU.`}
        >{t`This Pod would run on the CPU. Choose a GPU under Hardware.`}</Notice>
      )}
    </>
  );
}
