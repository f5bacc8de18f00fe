/** Answers with a greeting. Change the function to what your endpoint does. */
export default async function handler(job) {
  const { name = 'world' } = job.input;
  // What you print is in the log of the job.
  console.log(`Greeting ${name}`);
  return { greeting: `Hello, ${name}!` };
}
