/**
 * Bodies and outputs that are too large for a row, by the name of their file. They are few, and all of them are in
 * memory.
 */
export const storedTexts = `
CREATE TABLE stored_text (
  seq INTEGER NOT NULL,
  part INTEGER NOT NULL,
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sealed INTEGER NOT NULL,
  input_start INTEGER,
  input_end INTEGER,
  PRIMARY KEY (seq, part)
) WITHOUT ROWID;
`;
