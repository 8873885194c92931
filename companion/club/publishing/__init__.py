"""What a table tells other programs: public facts as JSON, over MQTT and on the web."""
