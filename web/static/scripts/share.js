// Offers a picture to the phone's other apps (`data-share`) where the browser can, which asks for
// HTTPS. Elsewhere, the link saves it.

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-share]");
  if (!link || !canShare()) return;
  event.preventDefault();
  try {
    await navigator.share({ files: [await fetchPicture(link)] });
  } catch (error) {
    if (error.name === "AbortError") return; // the player changed their mind
    delete link.dataset.share;
    link.click();
  }
});

function canShare() {
  return navigator.canShare?.({ files: [new File([], "poster.png", { type: "image/png" })] });
}

async function fetchPicture(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(answer.statusText);
  return new File([await answer.blob()], link.download, { type: "image/png" });
}
