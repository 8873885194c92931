// Shows notifications for alerts.js, and leads back to the table when one is tapped.

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable());
});

async function openTable() {
  const [page] = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (page) await page.focus();
  else await clients.openWindow("/");
}
