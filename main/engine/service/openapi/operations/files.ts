/** What the document of the engine tells of files in network volumes. */
import {
  volumeFileSchema,
  volumeFolderRequestSchema,
  volumeListingSchema,
  volumeMoveRequestSchema,
  volumePathSchema,
} from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import * as z from 'zod';
import type { Operation } from '../document.ts';

const FILE = '/local/v1/volumes/{id}/files/content';
const BYTES = 'application/octet-stream';
const inVolume = { path: { schema: volumePathSchema, words: 'From the volume on, with "/" between names.' } };
const { uploadBytes, entries: filesListed } = limits.volumeFiles;

export const fileRequests = {
  VolumeFolder: volumeFolderRequestSchema,
  VolumeMove: volumeMoveRequestSchema,
};
export const fileAnswers = {
  VolumeFile: volumeFileSchema,
  VolumeListing: volumeListingSchema,
  Bytes: z.string().meta({ format: 'binary' }),
  RangeRefused: z.looseObject({ message: z.string() }),
};

export const fileOperations: Operation<keyof typeof fileRequests | keyof typeof fileAnswers>[] = [
  {
    methods: ['get'],
    path: '/local/v1/volumes/{id}/files',
    id: 'volumeFiles',
    group: 'files',
    need: 'read',
    summary: `Lists a folder of a network volume: its folders, then what else is there, ${filesListed} entries at most.`,
    query: inVolume,
    answers: { 200: { words: 'The folder.', shape: 'VolumeListing' } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: FILE,
    id: 'readVolumeFile',
    group: 'files',
    need: 'read',
    summary: 'Reads a file of a network volume. `Range` asks for a part of it, `If-Range` for a part of the same file.',
    query: inVolume,
    answers: {
      200: { words: 'The file.', shape: 'Bytes', type: BYTES },
      206: { words: 'The part of it.', shape: 'Bytes', type: BYTES },
      416: { words: 'The file ends before that part.', shape: 'RangeRefused' },
    },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['put'],
    path: FILE,
    id: 'writeVolumeFile',
    group: 'files',
    need: 'all',
    summary: `Writes a file of a network volume, ${uploadBytes} bytes at most; it is there once all of it has come. With "If-None-Match: *" nothing is replaced.`,
    query: inVolume,
    body: { shape: 'Bytes', required: true, type: BYTES },
    answers: { 200: { words: 'The file.', shape: 'VolumeFile' } },
    refusals: ['CONFLICT', 'STORAGE_FULL'],
  },
  {
    methods: ['delete'],
    path: FILE,
    id: 'deleteVolumeFile',
    group: 'files',
    need: 'all',
    summary: 'Deletes a file of a network volume, or a folder with everything in it.',
    query: inVolume,
    answers: { 204: { words: 'It is gone.', shape: null } },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['post'],
    path: '/local/v1/volumes/{id}/files/folder',
    id: 'makeVolumeFolder',
    group: 'files',
    need: 'all',
    summary: 'Makes a folder in a network volume.',
    body: { shape: 'VolumeFolder', required: true },
    answers: { 200: { words: 'The folder.', shape: 'VolumeFile' } },
    refusals: ['CONFLICT', 'STORAGE_FULL'],
  },
  {
    methods: ['post'],
    path: '/local/v1/volumes/{id}/files/move',
    id: 'moveVolumeFile',
    group: 'files',
    need: 'all',
    summary: 'Moves or renames a file or a folder of a network volume; nothing is replaced.',
    body: { shape: 'VolumeMove', required: true },
    answers: { 200: { words: 'It, under its new name.', shape: 'VolumeFile' } },
    refusals: ['CONFLICT'],
  },
];
