// Bytes that a page holds as text.

// The ``bytes``, zipped, in base 64.
/** @type {(bytes: Uint8Array) => Promise<string>} */
export async function zippedText(bytes) {
  const zipped = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream("gzip"));
  const blob = await new Response(zipped).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}
