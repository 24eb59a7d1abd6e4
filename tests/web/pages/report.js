// How a page tells the test what came of it.

// Shows, as JSON, what a promise gives, or `{error}` where it fails.
export async function report(promise) {
  let found;
  try {
    found = await promise;
  } catch (error) {
    found = { error: String(error) };
  }
  document.querySelector("#report").textContent = JSON.stringify(found);
}
