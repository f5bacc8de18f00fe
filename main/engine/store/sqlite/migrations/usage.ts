/**
 * Usage by hours of UTC since the epoch, and the same by days, so that a year is added up quickly. `usage_series`
 * contains the properties by which usage is billed; `worker` is empty without one. `gb`: the maximum in that time.
 */
export const usage = `
CREATE TABLE usage_series (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  resource TEXT NOT NULL,
  template TEXT NOT NULL,
  image TEXT NOT NULL,
  gpu_type TEXT NOT NULL,
  UNIQUE (kind, resource, template, image, gpu_type)
);
CREATE TABLE usage_hour (
  series INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  worker TEXT NOT NULL,
  ms INTEGER NOT NULL,
  gb INTEGER NOT NULL,
  amount REAL NOT NULL,
  PRIMARY KEY (series, hour, worker)
) WITHOUT ROWID;
CREATE TABLE usage_day (
  series INTEGER NOT NULL,
  day INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  gb INTEGER NOT NULL,
  amount REAL NOT NULL,
  PRIMARY KEY (series, day)
) WITHOUT ROWID;
`;
